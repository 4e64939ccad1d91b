"""What an operator may change."""

CURRENCY = "EUR"
ROUNDING = "half_up"
FREE_SHIPPING_FROM = 10_000
LOW_STOCK = 5
