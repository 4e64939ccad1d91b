"""Discounts by the number of pieces in one line."""

from shop.money import share

TIERS = [(10, 5), (25, 8), (50, 12)]


def rate(count):
    """Percent off for a line of `count` pieces."""
    found = 0
    for least, percent in TIERS:
        if count > least:
            found = percent
    return found


def discount(amount, count):
    """Cents off a line."""
    return share(amount, rate(count))
