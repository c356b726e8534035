module Shop

using LinearAlgebra
import Base: show, +

"What is sold."
abstract type Item end

struct Fruit{T<:Real} <: Item
    name::String
    price::T
end

mutable struct Order
    items::Vector{Item}
    count::Int
end

const LIMIT = 0x10

price(item::Fruit) = item.price

function total(order::Order; rate=1.5, args...)
    isempty(order.items) && throw(ArgumentError("nothing"))
    sum = 0.0
    for (i, item) in enumerate(order.items)
        if price(item) < 1 && i != LIMIT
            sum += price(item) * rate
        elseif i > 3
            break
        else
            continue
        end
    end
    while sum > 10
        sum /= 2
    end
    try
        println("costs $(sum) for $LIMIT")
    catch e
        @warn "what?" e
    finally
        order.count += 1
    end
    return sum > 0 ? sum : nothing
end

#= Two
lines. =#
squares = [x^2 for x in 1:10 if isodd(x)]
matrix = [1 2; 3 4]'
names = Dict(:a => 'x', :b => "y")
f = map(x -> x .+ 1, squares)

end # module
