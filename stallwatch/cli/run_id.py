"""A run's id as an argument: what no record can carry is refused before Kafka is asked."""

from typing import Annotated

import typer

MAX_CHARACTERS = 512
"""Of an id on the wire."""


def run_id(value: str | None) -> str | None:
    """The id as given. Raises `typer.BadParameter` for what is no run's id."""
    if value is None:
        return None
    if not 1 <= len(value) <= MAX_CHARACTERS:
        raise typer.BadParameter(
            f"a run's id has 1 to {MAX_CHARACTERS} characters, this one has {len(value)}"
        )
    try:
        value.encode()
    except UnicodeEncodeError:
        raise typer.BadParameter("it is not UTF-8, and so no run's id") from None
    return value


Run = Annotated[str, typer.Argument(metavar="RUN", help="The run's id.", show_default=False, callback=run_id)]
