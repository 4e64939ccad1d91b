import unittest

from shop.money import cents, round_cents, share, show


class MoneyTest(unittest.TestCase):
    def test_cents(self):
        self.assertEqual(cents("12.30"), 1230)

    def test_ties_go_up(self):
        self.assertEqual([round_cents("2.5"), round_cents("3.5")], [3, 4])

    def test_share(self):
        self.assertEqual(share(1990, 5), 100)

    def test_show(self):
        self.assertEqual([show(12345), show(-5)], ["123.45 EUR", "-0.05 EUR"])
