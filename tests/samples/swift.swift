import Foundation

/// What is sold.
protocol Item {
    var price: Double { get }
}

struct Fruit: Item, Equatable {
    let name: String
    var price: Double = 0.5
}

enum Failure: Error {
    case empty
    case full(limit: Int)
}

final class Order<T: Item> {
    private var items: [T] = []
    var total: Double { items.reduce(0) { $0 + $1.price } }

    func add(_ more: T..., times: Int = 1) throws {
        guard !more.isEmpty else { throw Failure.empty }
        for _ in 0..<times {
            items.append(contentsOf: more)
        }
    }

    func cheap(limit: Double) -> [T] {
        return items.filter { $0.price < limit }
    }
}

let order = Order<Fruit>()
do {
    try order.add(Fruit(name: "apple"), times: 0x2)
    print("costs \(order.total * 2)")
} catch {
    print(error)
}
var count = 10
while count > 3 { count -= 1 } // down
switch count {
case 0...2: print("few")
default: print("many")
}
