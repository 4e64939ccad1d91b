"""What is on the shelves."""

from shop import settings


class OutOfStock(Exception):
    pass


class Shelf:
    def __init__(self, catalog):
        self.left = {sku: product.stock for sku, product in catalog.items()}

    def take(self, sku, count):
        if self.left[sku] < count:
            raise OutOfStock(f"{sku}: {self.left[sku]} left, {count} wanted")
        self.left[sku] -= count

    def low(self):
        """Skus that should be ordered again."""
        return sorted(sku for sku, left in self.left.items() if left < settings.LOW_STOCK)
