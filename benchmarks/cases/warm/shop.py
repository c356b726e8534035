"""The stock of a small shop: what there is, what was sold, and what has to be ordered."""

import csv
import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

TAXES = {"food": 0.07, "books": 0.07, "tools": 0.19, "toys": 0.19}
LEAST = {"food": 40, "books": 5, "tools": 8, "toys": 12}
SEASONS = ((3, "spring"), (6, "summer"), (9, "autumn"), (12, "winter"))


class OutOfStock(Exception):
    """There is not as much as was asked for."""

    def __init__(self, name, wanted, there):
        super().__init__(f"{wanted} of {name!r} were wanted, and there are {there}")
        self.name = name
        self.missing = wanted - there


@dataclass
class Article:
    """What can be sold."""

    name: str
    kind: str
    price: float
    there: int = 0
    sold: list = field(default_factory=list)

    @property
    def gross(self):
        """The price with taxes."""
        return round(self.price * (1 + TAXES.get(self.kind, 0.19)), 2)

    def sell(self, number, day):
        """Take some away."""
        if number > self.there:
            raise OutOfStock(self.name, number, self.there)
        self.there -= number
        self.sold.append((day, number))

    def sold_since(self, day):
        """Return how many were sold from some day on."""
        return sum(number for when, number in self.sold if when >= day)


def season(day):
    """Return the name of the season."""
    for month, name in SEASONS:
        if day.month < month:
            return name
    return SEASONS[0][1]


class Stock:
    """All articles, by their names."""

    order = {
        lambda article: article.price: "by price",
        lambda article: article.name: "by name",
    }

    def __init__(self, articles=()):
        self.articles = {article.name: article for article in articles}
        self.orders = defaultdict(int)

    @classmethod
    def read(cls, path):
        """Read what is there from a table."""
        with Path(path).open(newline="") as stream:
            rows = csv.DictReader(stream, delimiter=";")
            return cls(
                Article(row["name"], row["kind"], float(row["price"]), int(row["there"]))
                for row in rows
            )

    def handle(self, message, day):
        """Do what a message says, and return the answer."""
        match message:
            case {"do": "sell", "name": str(name), "number": int(number)}:
                self.articles[name].sell(number, day)
                return {"left": self.articles[name].there}
            case {"do": "order", "name": str(name)}:
                self.orders[name] += LEAST[self.articles[name].kind]
                return {"ordered": self.orders[name]}
            case {"do": ("list" | "show") as word, **rest}:
                return {"word": word, "names": sorted(self.articles), "rest": list(rest)}
            case [first, *others]:
                return [self.handle(first, day), *(self.handle(each, day) for each in others)]
            case _:
                return {"error": f"not understood: {message!r}"}

    def scarce(self):
        """Yield what has to be ordered."""
        for article in self.articles.values():
            least = LEAST.get(article.kind, 10)
            if article.there < least and not self.orders[article.name]:
                yield article, least - article.there

    def report(self, day, days=30):
        """Return some lines of text."""
        since = day - timedelta(days=days)
        counted = Counter({each.name: each.sold_since(since) for each in self.articles.values()})
        lines = [f"{season(day)}, {day:%d.%m.%Y}", "-" * 40]
        for article, missing in self.scarce():
            lines.append(f"{article.name:<30}{missing:>10} to be ordered")
        lines += [f"{name:<30}{number:>10}" for name, number in counted.most_common(5)]
        return "\n".join(lines)

    def tell(self, day):
        """Print what was sold by whom."""
        for line in self.report(day).splitlines(): # fmt: skip
            print(line)

    def save(self, path):
        """Write it all down."""
        told = {
            name: {"kind": each.kind, "price": each.price, "there": each.there}
            for name, each in self.articles.items()
        }
        Path(path).write_text(json.dumps(told, indent=2, sort_keys=True) + "\n")


def main(path="stock.csv", *messages):
    """Read, handle messages, report."""
    stock, day = Stock.read(path), date.today()
    for message in messages:
        try:
            print(json.dumps(stock.handle(json.loads(message), day)))
        except (OutOfStock, KeyError) as error:
            print(f"refused: {error}")
    print(stock.report(day))


if __name__ == "__main__":
    main()
