"""The monthly report."""

from collections import Counter

from shop.money import show


def best_sellers(orders, limit=3):
    """(sku, pieces), most sold first."""
    sold = Counter()
    for order in orders:
        sold.update(order.lines)
    return sold.most_common(limit)


def report(orders):
    lines = [f"{len(orders)} orders", f"goods {show(sum(order.goods for order in orders))}"]
    lines += [f"{pieces} x {sku}" for sku, pieces in best_sellers(orders)]
    return "\n".join(lines)
