"""The scratch project: every agent works on its own copy, in a folder that is gone afterwards."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path


def copy_project(target: Path) -> None:
    """`target` is a fresh copy of the scratch project. Milliseconds; about 40 small files."""
    with resources.as_file(resources.files("stallwatch.demo") / "project") as source:
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A temporary folder that is gone after the `with` block, whatever was left in it."""
    with tempfile.TemporaryDirectory(prefix="stallwatch-demo-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)
