"""Where the broker's jars are: a folder that is already filled, or one that Maven fills once per checkout."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

POM = Path(__file__).with_name("pom.xml")
CHECKOUT = Path(__file__).resolve().parents[2]
FOLDER_VARIABLE = "STALLWATCH_KAFKA_LIBS"


class KafkaUnavailableError(RuntimeError):
    """This machine cannot run a broker; the message says what is missing."""


def jars(env: Mapping[str, str] = os.environ) -> Path:
    """The folder with the jars of `pom.xml`: `STALLWATCH_KAFKA_LIBS`, or `.kafka/libs` in the checkout.

    Fetches the latter with Maven where it is not there yet (about 45 MB, under a minute).
    Raises `KafkaUnavailableError`.
    """
    if shutil.which("java") is None:
        raise KafkaUnavailableError("no `java` on the path: install a Java runtime, 17 or newer")
    if given := env.get(FOLDER_VARIABLE):
        folder = Path(given)
        if not _filled(folder):
            raise KafkaUnavailableError(f"{FOLDER_VARIABLE}={given}: no kafka_2.13-*.jar in there")
        return folder
    folder = CHECKOUT / ".kafka" / "libs"
    if not _filled(folder):
        _fetch(folder)
    return folder


def _filled(folder: Path) -> bool:
    return any(folder.glob("kafka_2.13-*.jar"))


def _fetch(folder: Path) -> None:
    if shutil.which("mvn") is None:
        raise KafkaUnavailableError(
            f"no `mvn` on the path: install Maven, or let {FOLDER_VARIABLE} name a folder with the jars"
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Into a folder of its own first: an interrupted download must not look like a filled folder.
    with tempfile.TemporaryDirectory(dir=folder.parent) as partial:
        target = Path(partial) / "libs"
        done = subprocess.run(  # noqa: S603 - Maven, wherever the path has it
            [  # noqa: S607
                "mvn",
                "-q",
                "-B",
                "-f",
                str(POM),
                "dependency:copy-dependencies",
                f"-DoutputDirectory={target}",
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0 or not _filled(target):
            said = (done.stdout + done.stderr).strip()[-800:]
            raise KafkaUnavailableError(f"Maven could not fetch the jars of {POM}: {said}")
        if not _filled(folder):
            shutil.rmtree(folder, ignore_errors=True)
            target.rename(folder)
