% Counts what was sold.
function [sum, count] = total(items, rate)
    if nargin < 2
        rate = 1.5;
    end
    sum = 0;
    count = numel(items);
    for i = 1:count
        item = items{i};
        if item.price < 1 && ~isempty(item.name)
            sum = sum + item.price * rate;
        elseif i > 16
            break;
        else
            continue;
        end
    end
    while sum > 10
        sum = sum / 2;
    end
    switch count
        case {0, 1}
            disp('few');
        otherwise
            fprintf("%d items\n", count);
    end
    try
        m = [1, 2; 3, 4]' * [1; 0];
        f = @(x) x.^2 + m(1, end);
        disp(f(3));
    catch err
        warning(err.message);
    end
end
