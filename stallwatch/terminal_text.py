"""Text of unknown origin, made fit for a terminal."""


def printable(text: str) -> str:
    """The text; control characters, escape sequences and lone surrogates stand as their escapes."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text
    )


def shortened(text: str, width: int) -> str:
    """Printable, at most `width` characters; what was cut is shown as an ellipsis in the middle."""
    text = printable(text)
    if len(text) <= width:
        return text
    head = (width - 1) // 2
    return f"{text[:head]}…{text[head + 1 - width :]}"


def counted(count: int, noun: str) -> str:
    """`1 step`, `2,400 steps`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
