package shop.orders;

import java.util.*;
import static java.lang.Math.max;

/** What was ordered. */
public final class Order<T extends Comparable<T>> implements Iterable<T> {
    private final List<T> items = new ArrayList<>();
    private static final int[] LIMITS = {1, 0x10, 1_000};

    enum State { OPEN, PAID("€") { @Override public String toString() { return "paid"; } }; State(String... s) {} }

    record Line(String name, double price) {}

    @SuppressWarnings("unchecked")
    public Order(T... items) throws IllegalArgumentException {
        for (T item : items) {
            if (item == null) throw new IllegalArgumentException("no item");
            this.items.add(item);
        }
    }

    public double total(Map<T, Double> prices) {
        double sum = 0.0;
        for (int i = 0; i < items.size(); i++) {
            sum += prices.getOrDefault(items.get(i), 0.5) * (i % 2 == 0 ? 1 : -1);
        }
        synchronized (this) {
            sum = max(sum, 'a'); // never less
        }
        return switch (LIMITS.length) {
            case 0 -> 0;
            default -> { yield sum; }
        };
    }

    @Override
    public Iterator<T> iterator() {
        Runnable run = () -> System.out.println("asked" + items);
        try {
            run.run();
        } catch (RuntimeException | Error error) {
            return null;
        } finally {
            assert items != null : "gone";
        }
        return items.iterator();
    }
}
