"""`python -m stallwatch` is the `stallwatch` command."""

from stallwatch.cli import main

if __name__ == "__main__":
    main()
