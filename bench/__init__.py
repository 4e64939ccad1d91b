"""Measurements: speed and quality, beside peers. Nothing in the product imports this."""
