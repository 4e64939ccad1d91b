"""A small order desk."""

__version__ = "1.4"
