import unittest

from shop.cart import Cart
from shop.catalog import Product

CATALOG = {"A1": Product("A1", "pen", 120, 10, 100), "B2": Product("B2", "desk", 24900, 18000, 3)}


class CartTest(unittest.TestCase):
    def test_lines_add_up(self):
        cart = Cart(CATALOG)
        cart.add("A1", 2)
        cart.add("A1")
        cart.add("B2")
        self.assertEqual(cart.line_total("A1"), 360)
        self.assertEqual(cart.goods(), 25260)

    def test_unknown_product(self):
        with self.assertRaises(KeyError):
            Cart(CATALOG).add("C3")

    def test_many_pieces_cost_less(self):
        cart = Cart(CATALOG)
        cart.add("A1", 30)
        self.assertEqual(cart.total(), 3312)
