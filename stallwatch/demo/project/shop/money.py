"""Amounts in whole cents."""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

from shop import settings

MODES = {"half_up": ROUND_HALF_UP, "half_even": ROUND_HALF_EVEN}


def cents(amount):
    """Whole cents of an amount given in units, as text or number."""
    return round_cents(Decimal(str(amount)) * 100)


def round_cents(value):
    """The nearest whole cent; ties go where the settings say."""
    return int(Decimal(value).quantize(Decimal("1"), rounding=MODES[settings.ROUNDING]))


def share(amount, percent):
    """A percentage of an amount in cents."""
    return round_cents(Decimal(amount) * Decimal(percent) / 100)


def show(amount):
    """12345 -> '123.45 EUR'."""
    sign = "-" if amount < 0 else ""
    return f"{sign}{abs(amount) // 100}.{abs(amount) % 100:02d} {settings.CURRENCY}"
