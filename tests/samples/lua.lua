-- What is sold.
local Item = {}
Item.__index = Item

function Item.new(name, price)
  return setmetatable({ name = name, price = price or 0.5 }, Item)
end

function Item:cheap(limit)
  return self.price < (limit or 1.5)
end

local function total(items, ...)
  local sum, count = 0, select("#", ...)
  for i, item in ipairs(items) do
    if item:cheap() and i ~= count then
      sum = sum + item.price * 2
    elseif i > 0x10 then
      break
    else
      goto continue
    end
    ::continue::
  end
  for i = 1, 3 do sum = sum - i end
  while sum > 10 do sum = sum // 2 end
  repeat sum = sum + 1 until sum > 0
  return sum, #items
end

--[[ Two
lines. ]]
local items = { Item.new("apple"), Item.new('pear', 2), ["key"] = true; 3 }
print(total(items), [[long
string]], "tab\t" .. "end")
