"""What a job says to the operator: what stops it, and how far it is."""

from __future__ import annotations

import datetime
import json
import re
import sys

_MARK = "triptych-failure:"


class Failure(Exception):
    """A job cannot go on. Its text says what was found, and what to do; it never holds a value of a
    trip.

    `status` is the exit status of the command, by the table of `docs/OPERATIONS.md`.
    """

    def __init__(self, text: str, status: int = 70) -> None:
        # Spark hands on the text of an error alone, inside those of its own.
        super().__init__(f"{_MARK}{json.dumps({'text': text, 'status': status})}")
        self.text = text
        self.status = status

    def __reduce__(self) -> tuple[type, tuple[str, int]]:
        return Failure, (self.text, self.status)


def failure_in(text: str) -> Failure | None:
    """The failure that a worker met, found in the text of Spark's error; None where it was another
    one."""
    for found in re.finditer(re.escape(_MARK) + r"(\{.*?\"status\": \d+\})", text):
        try:
            said = json.loads(found.group(1))
        except ValueError:
            continue
        return Failure(said["text"], said["status"])
    return None


def counted(number: int, name: str) -> str:
    """A number of things: `1 file`, `2,000 files`."""
    return f"{number:,} {name}{'' if number == 1 else 's'}"


def say(text: str) -> None:
    """A line of progress, with the time."""
    print(f"{datetime.datetime.now():%H:%M:%S} {text}", file=sys.stderr, flush=True)
