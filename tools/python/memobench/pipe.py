"""The two pipes to memobench, kept apart from what a script and its libraries print and read."""
from __future__ import annotations

import os
import stat
import sys
from typing import BinaryIO

_answers: BinaryIO | None = None


def _is_pipe(fd: int) -> bool:
    try:
        mode = os.fstat(fd).st_mode
    except OSError:  # closed
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def answers() -> BinaryIO:
    """Returns the standard output that the process was started with. From the first call on,
    descriptor 1 is standard error, for Python and for libraries in C alike."""
    global _answers
    if _answers is None:
        _answers = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)  # what was printed and not yet flushed goes there too
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(line_buffering=True)
    return _answers


def requests() -> BinaryIO:
    """Returns the standard input that the process was started with. Descriptor 0 is empty from then
    on, so that neither input() nor a process that the script starts takes requests away."""
    stream = os.fdopen(os.dup(0), "rb")
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    return stream


def take_if_started_by_memobench() -> None:
    """memobench connects both standard input and output to a pipe."""
    if _is_pipe(0) and _is_pipe(1):
        answers()
