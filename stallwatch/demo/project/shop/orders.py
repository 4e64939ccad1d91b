"""From a cart to an order."""

from dataclasses import dataclass

from shop.shipping import cost


@dataclass(frozen=True)
class Order:
    number: int
    lines: dict
    goods: int
    shipping: int

    @property
    def total(self):
        return self.goods + self.shipping


def place(number, cart, shelf, zone):
    """The goods are off the shelf and the order is fixed."""
    for sku, count in cart.lines.items():
        shelf.take(sku, count)
    goods = cart.total()
    return Order(number, dict(cart.lines), goods, cost(goods, cart.weight(), zone))
