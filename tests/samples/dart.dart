import 'dart:math' show max;

/// What is sold.
abstract class Item {
  double get price;
}

class Fruit extends Item {
  final String name;
  @override
  final double price;
  Fruit(this.name, [this.price = 0.5]);
}

enum State { open, paid }

class Order<T extends Item> {
  final List<T> items = [];

  double total() {
    var sum = 0.0;
    for (var item in items) {
      sum += item.price * 2;
    }
    return sum;
  }

  Future<int> count({int limit = 0x10}) async {
    await Future.delayed(Duration(seconds: 1));
    return max(items.length, limit);
  }
}

void main(List<String> args) async {
  final order = Order<Fruit>();
  order.items.add(Fruit('apple'));
  for (int i = 0; i < 3; i++) {
    if (i % 2 == 0) {
      print("costs ${order.total()} $i");
    } else {
      continue; // odd
    }
  }
  final names = {'a': 1, 'b': 2}.map((key, value) => MapEntry(value, key));
  try {
    print(await order.count(limit: 3));
  } catch (error) {
    print(names);
  }
}
