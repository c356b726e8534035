package shop

import java.util.List

class Basket {
    String name;
    List items = [];

    Basket(String name) {
        this.name = name
    }

    def add(String item, int count = 1) {
        for (int i = 0; i < count; i++) {
            items.add(item)
        }
        return items.size()
    }

    boolean isEmpty() {
        return items.size() == 0
    }
}

// A basket of fruit.
def basket = new Basket("fruit")
basket.add("apple", 3)
if (basket.isEmpty()) {
    println("nothing")
} else {
    println(basket.items)
}
def squares = [1, 2, 3]
