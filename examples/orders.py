"""Reads a day's orders and prints what each customer owes."""

import csv
import sys
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal

TAX = Decimal("0.19")
FREE_FROM = Decimal("50.00")
SHIPPING = Decimal("4.90")


@dataclass(frozen=True)
class Order:
    customer: str
    article: str
    count: int
    price: Decimal

    @property
    def total(self):
        return self.count * self.price


def read(lines):
    """Yield one order a line; lines that begin with # are notes."""
    rows = csv.reader(line for line in lines if not line.startswith("#"))
    for number, row in enumerate(rows, start=1):
        try:
            customer, article, count, price = row
            yield Order(customer.strip(), article.strip(), int(count), Decimal(price))
        except ValueError as error:
            print(f"line {number}: {error}", file=sys.stderr)


def owed(orders):
    """Return what each customer owes, with tax and shipping."""
    sums = defaultdict(Decimal)
    for order in orders:
        sums[order.customer] += order.total
    return {
        customer: (net + (SHIPPING if net < FREE_FROM else 0)) * (1 + TAX)
        for customer, net in sums.items()
    }


def table(sums):
    """Return the sums as text, the largest first."""
    width = max(map(len, sums), default=0)
    ordered = sorted(sums.items(), key=lambda pair: pair[1], reverse=True)
    lines = [f"{customer:<{width}}  {amount:>10.2f}" for customer, amount in ordered]
    total = sum(sums.values(), Decimal(0))
    headline = "customer".ljust(width) + \
        "  " + "owes".rjust(10)
    rule = "-" * len(headline)
    return "\n".join([headline, rule, *lines, rule, f"{'':<{width}}  {total:>10.2f}"])


def main(paths):
    orders = []
    for path in paths:
        with open(path, encoding="utf-8", newline="") as file:
            orders.extend(read(file))
    if not orders:
        sys.exit("no orders")
    print(table(owed(orders)))


if __name__ == "__main__":
    main(sys.argv[1:])
