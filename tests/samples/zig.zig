const std = @import("std");

/// What is sold.
const Item = struct {
    name: []const u8,
    price: f32 = 0.5,

    pub fn cheap(self: *const Item) bool {
        return self.price < 1.5;
    }
};

const State = enum { open, paid };
const Failure = error{ Empty, Full };

fn total(items: []const Item) Failure!f32 {
    if (items.len == 0) {
        return Failure.Empty;
    }
    var sum: f32 = 0;
    for (items) |item| {
        sum += item.price;
    }
    var i: usize = 0;
    while (i < 3) : (i += 1) {
        sum *= 2;
    }
    return sum;
}

pub fn main() !void {
    const items = [_]Item{ .{ .name = "apple" }, .{ .name = "pear", .price = 0x2 } };
    const sum = try total(&items);
    defer std.debug.print("done\n", .{});
    std.debug.print("{d} {c}\n", .{ sum, 'x' });
}

test "nothing costs nothing" {
    try std.testing.expectError(Failure.Empty, total(&[_]Item{}));
}
