"""Takes over the supplier's prices. Progress goes to logs/import.log."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main():
    log = ROOT / "logs" / "import.log"
    log.parent.mkdir(exist_ok=True)
    with open(log, "w", encoding="utf-8", buffering=1) as progress:
        print("reading data/supplier.csv", file=progress)
        rows = (ROOT / "data" / "supplier.csv").read_text(encoding="utf-8").splitlines()
        print(f"done: {len(rows)} prices", file=progress)


if __name__ == "__main__":
    main()
