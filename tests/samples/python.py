#!/usr/bin/env python3
"""What is sold."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Item:
    name: str
    price: float = 0.5
    tags: list[str] = field(default_factory=list)

    @property
    def cheap(self) -> bool:
        """Tell whether it costs little."""
        return self.price < 1.5e0


def total(items: list[Item], *more: Item, rate=1, **options) -> float:
    sold = {item.name: item.price * 2 for item in items if item.cheap and not options}
    if not sold:
        raise ValueError(f"no {items!r:>10} at {rate:.2f}")
    elif (count := len(sold)) > 0x10:
        return -1
    else:
        pass
    for name, price in sorted(sold.items(), key=lambda pair: pair[1]):
        print(name, price, end="\n", sep='')  # one a line
    while count:
        count -= 1
    try:
        with open("log", "w") as log, open(r"raw\n") as raw:
            log.write(raw.read()[1:-1])
    except (OSError, ValueError) as error:
        assert error is not None, "it is"
    finally:
        del sold
    match rate:
        case 0 | 1:
            return sum(item.price for item in (*items, *more))
        case _:
            return 0.0


async def main():
    await asyncio.sleep(1)
    yield total([Item("apple"), Item(name="pear", price=2)])
