import unittest

from shop.discounts import discount, rate


class DiscountTest(unittest.TestCase):
    def test_few_pieces(self):
        self.assertEqual(rate(3), 0)

    def test_many_pieces(self):
        self.assertEqual([rate(12), rate(30), rate(80)], [5, 8, 12])

    def test_cents_off(self):
        self.assertEqual(discount(2400, 12), 120)
