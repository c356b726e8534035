-- A lift simulation: classes, an event queue, a random generator, statistics and a small template printer.

local function class(parent)
  local c = {}
  c.__index = c
  if parent then setmetatable(c, { __index = parent }) end
  c.new = function(...)
    local o = setmetatable({}, c)
    if o.init then o:init(...) end
    return o
  end
  return c
end

-- linear congruential generator, the same numbers everywhere
local Random = class()

function Random:init(seed)
  self.state = seed or 1
end

function Random:next(n)
  self.state = (self.state * 1103 + 12347) % 65536
  return self.state % n + 1
end

function Random:pick(list)
  return list[self:next(#list)]
end

-- binary heap of events, by time and then by number
local Queue = class()

function Queue:init()
  self.items, self.count = {}, 0
end

local function before(a, b)
  if a.time ~= b.time then return a.time < b.time end
  return a.number < b.number
end

function Queue:push(time, action, ...)
  self.count = self.count + 1
  local item = { time = time, number = self.count, action = action, args = { ... }, n = select("#", ...) }
  local items, i = self.items, #self.items + 1
  items[i] = item
  while i > 1 do
    local p = (i - i % 2) / 2
    if not before(items[i], items[p]) then break end
    items[i], items[p] = items[p], items[i]
    i = p
  end
  return item
end

function Queue:pop()
  local items = self.items
  local top, last = items[1], #items
  if not top then return nil end
  items[1] = items[last]
  items[last] = nil
  local i, n = 1, last - 1
  while true do
    local least, l, r = i, 2 * i, 2 * i + 1
    if l <= n and before(items[l], items[least]) then least = l end
    if r <= n and before(items[r], items[least]) then least = r end
    if least == i then break end
    items[i], items[least] = items[least], items[i]
    i = least
  end
  return top
end

-- helpers for lists
local function map(list, f)
  local out = {}
  for i, v in ipairs(list) do out[i] = f(v, i) end
  return out
end

local function filter(list, f)
  local out = {}
  for _, v in ipairs(list) do
    if f(v) then out[#out + 1] = v end
  end
  return out
end

local function fold(list, start, f)
  local acc = start
  for _, v in ipairs(list) do acc = f(acc, v) end
  return acc
end

local function first(...)
  return (...)
end

local function keys(t)
  local out = {}
  for k in pairs(t) do out[#out + 1] = k end
  table.sort(out)
  return out
end

-- running mean and variance
local Stats = class()

function Stats:init(name)
  self.name, self.n, self.mean, self.m2 = name, 0, 0, 0
  self.low, self.high = math.huge, -math.huge
end

function Stats:add(x)
  self.n = self.n + 1
  local d = x - self.mean
  self.mean = self.mean + d / self.n
  self.m2 = self.m2 + d * (x - self.mean)
  self.low, self.high = math.min(self.low, x), math.max(self.high, x)
end

function Stats:deviation()
  if self.n < 2 then return 0 end
  return (self.m2 / (self.n - 1)) ^ 0.5
end

function Stats:line()
  return ("%-10s n=%3d mean=%7.2f dev=%6.2f low=%3d high=%3d"):format(self.name, self.n, self.mean, self:deviation(), self.low, self.high)
end

-- "{name}" templates
local function render(text, values)
  return (text:gsub("{([%w_]+)}", function(k)
    local v = values[k]
    if v == nil then return "?" end
    return tostring(v)
  end))
end

-- the lift
local Lift = class()

function Lift:init(world, floors)
  self.world, self.floors = world, floors
  self.floor, self.goal = 1, nil
  self.waiting, self.riding = {}, {}
  for f = 1, floors do self.waiting[f] = {} end
  self.moves = 0
end

function Lift:call(person)
  local line = self.waiting[person.from]
  line[#line + 1] = person
  if not self.goal then
    self.goal = person.from
    self.world:after(1, "step")
  end
end

function Lift:board()
  local line, still = self.waiting[self.floor], {}
  for _, p in ipairs(line) do
    if #self.riding < 4 then
      self.riding[#self.riding + 1] = p
      self.world.wait:add(self.world.now - p.since)
    else
      still[#still + 1] = p
    end
  end
  self.waiting[self.floor] = still
end

function Lift:leave()
  local out = filter(self.riding, function(p) return p.to == self.floor end)
  self.riding = filter(self.riding, function(p) return p.to ~= self.floor end)
  for _, p in ipairs(out) do self.world:arrived(p) end
  return #out
end

function Lift:choose()
  if #self.riding > 0 then
    return first(self.riding[1].to, "riding")
  end
  local best
  for f = 1, self.floors do
    if #self.waiting[f] > 0 and (not best or math.abs(f - self.floor) < math.abs(best - self.floor)) then best = f end
  end
  return best
end

function Lift:step()
  if self.floor == self.goal then
    self:leave()
    self:board()
    self.goal = self:choose()
  end
  if self.goal then
    if self.goal > self.floor then
      self.floor = self.floor + 1
    elseif self.goal < self.floor then
      self.floor = self.floor - 1
    end
    self.moves = self.moves + 1
    self.world:after(2, "step")
  end
end

-- the world
local World = class()

function World:init(seed, floors)
  self.random, self.queue, self.now = Random.new(seed), Queue.new(), 0
  self.lift = Lift.new(self, floors)
  self.wait, self.trip = Stats.new("wait"), Stats.new("trip")
  self.names = { "ann", "bob", "cat", "dan", "eve", "fay" }
  self.done = {}
end

function World:after(delay, action, ...)
  self.queue:push(self.now + delay, action, ...)
end

function World:spawn(left)
  local from = self.random:next(self.lift.floors)
  local to = from
  while to == from do to = self.random:next(self.lift.floors) end
  self.lift:call({ name = self.random:pick(self.names), from = from, to = to, since = self.now })
  if left > 1 then self:after(self.random:next(9), "spawn", left - 1) end
end

function World:arrived(p)
  self.trip:add(self.now - p.since)
  self.done[p.name] = (self.done[p.name] or 0) + 1
end

function World:run(limit)
  while true do
    local e = self.queue:pop()
    if not e or e.time > limit then break end
    self.now = e.time
    if e.action == "step" then
      self.lift:step()
    elseif e.action == "spawn" then
      self:spawn(unpack(e.args, 1, e.n))
    end
  end
end

local function report(w)
  print(w.wait:line())
  print(w.trip:line())
  print(render("{moves} moves, {n} trips, {missing}", { moves = w.lift.moves, n = w.trip.n }))
  local rows = map(keys(w.done), function(k) return k .. "=" .. w.done[k] end)
  print(table.concat(rows, " "))
  print(fold(keys(w.done), 0, function(a, k) return a + w.done[k] end) == w.trip.n)
end

for _, seed in ipairs({ 7, 21 }) do
  local w = World.new(seed, 8)
  w:after(1, "spawn", 40)
  w:run(2000)
  print("seed", seed, first(w.now > 0, "unused"))
  report(w)
end
