"""The way out when going on might commit over doubt."""

import logging
import os
import sys
from typing import NoReturn

EXIT_DOUBT = 70
"""The worker ended rather than commit; a supervisor starts it again and it reads from what is durable."""

_log = logging.getLogger("stallwatch.worker")


def fatal(message: str) -> NoReturn:
    """The process is gone at once: no shutdown hook runs, since Faust's would commit."""
    _log.critical("ending rather than commit over doubt", extra={"fields": {"cause": message}})
    logging.shutdown()
    sys.stderr.flush()
    os._exit(EXIT_DOUBT)
