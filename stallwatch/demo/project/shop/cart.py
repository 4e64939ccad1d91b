"""What a customer is about to buy."""

from shop.discounts import discount


class Cart:
    def __init__(self, catalog):
        self.catalog = catalog
        self.lines = {}

    def add(self, sku, count=1):
        if sku not in self.catalog:
            raise KeyError(f"no product {sku!r}")
        self.lines[sku] = self.lines.get(sku, 0) + count

    def line_total(self, sku):
        """Price of one line before any discount, in cents."""
        return self.catalog[sku].price * self.lines[sku]

    def goods(self):
        return sum(self.line_total(sku) for sku in self.lines)

    def total(self):
        """What is to be paid for the goods, in cents."""
        return sum(
            self.line_total(sku) - discount(self.line_total(sku), self.lines[sku]) for sku in self.lines
        )

    def weight(self):
        return sum(self.catalog[sku].weight * count for sku, count in self.lines.items())
