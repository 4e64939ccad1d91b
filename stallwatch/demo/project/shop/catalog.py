"""Products, read from data/products.csv."""

import csv
from dataclasses import dataclass
from pathlib import Path

from shop.money import cents

DATA = Path(__file__).resolve().parent.parent / "data"


@dataclass(frozen=True)
class Product:
    sku: str
    name: str
    price: int
    weight: int
    stock: int


def load(path=DATA / "products.csv"):
    """Every product by its sku."""
    with open(path, newline="", encoding="utf-8") as source:
        return {
            row["sku"]: Product(
                row["sku"], row["name"], cents(row["price"]), int(row["weight_g"]), int(row["stock"])
            )
            for row in csv.DictReader(source)
        }
