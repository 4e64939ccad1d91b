"""Shipping by zone and weight."""

import tomllib

from shop import settings
from shop.catalog import DATA


def zones(path=DATA / "zones.toml"):
    with open(path, "rb") as source:
        return tomllib.load(source)


def cost(goods, weight, zone):
    """Cents for a parcel of `weight` grams; nothing from a certain amount of goods on."""
    if goods >= settings.FREE_SHIPPING_FROM:
        return 0
    table = zones()[zone]
    parcels = -(-weight // table["parcel_g"])
    return parcels * table["cents"]
