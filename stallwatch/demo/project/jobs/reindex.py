"""Rebuilds index.json: for every word of docs and data, the files that hold it. Slow on purpose, to spare the disk."""

import json
import os
import re
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAUSE_S = float(os.environ.get("REINDEX_PAUSE_S", "1.1"))


def main():
    files = sorted(path for folder in ("docs", "data") for path in (ROOT / folder).rglob("*") if path.is_file())
    log = ROOT / "logs" / "reindex.log"
    log.parent.mkdir(exist_ok=True)
    index = {}
    with open(log, "w", encoding="utf-8", buffering=1) as progress:
        for number, path in enumerate(files, 1):
            for word in set(re.findall(r"[a-z]{3,}", path.read_text(encoding="utf-8").lower())):
                index.setdefault(word, []).append(str(path.relative_to(ROOT)))
            print(f"indexed {number} of {len(files)} files, {len(index)} words", file=progress)
            time.sleep(PAUSE_S)
        (ROOT / "index.json").write_text(json.dumps(index, indent=1, sort_keys=True), encoding="utf-8")
        print(f"done: {len(files)} files, {len(index)} words", file=progress)


if __name__ == "__main__":
    main()
