import unittest

from shop.cart import Cart
from shop.catalog import load
from shop.orders import place
from shop.report import report
from shop.stock import OutOfStock, Shelf


class OrderTest(unittest.TestCase):
    def setUp(self):
        self.catalog = load()
        self.shelf = Shelf(self.catalog)

    def cart(self, **lines):
        cart = Cart(self.catalog)
        for sku, count in lines.items():
            cart.add(sku, count)
        return cart

    def test_goods_leave_the_shelf(self):
        before = self.shelf.left["P01"]
        place(1, self.cart(P01=2), self.shelf, "home")
        self.assertEqual(self.shelf.left["P01"], before - 2)

    def test_out_of_stock(self):
        with self.assertRaises(OutOfStock):
            place(2, self.cart(P07=10_000), self.shelf, "home")

    def test_shipping_is_free_for_large_orders(self):
        self.assertEqual(place(3, self.cart(P09=1), self.shelf, "abroad").shipping, 0)

    def test_report(self):
        orders = [place(4, self.cart(P01=3, P02=1), self.shelf, "home")]
        self.assertIn("3 x P01", report(orders))
