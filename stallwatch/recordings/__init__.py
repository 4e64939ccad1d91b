"""Recorded runs judged without a broker: reading, judging, reporting."""
