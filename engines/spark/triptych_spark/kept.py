"""Plans of jobs whose results wait to be imported.

    MART/cluster/PLAN.json    for the account of the driver alone

A plan has the list of overrides as it is, with trip ids and reasons: it never lies beside the
trips.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any


class KeptPlans:
    """The plans that one mart keeps for a while, by their hashes."""

    def __init__(self, mart: str) -> None:
        self._folder = Path(mart, "cluster")

    def path(self, plan: str) -> Path:
        """Where a plan lies, or would."""
        return self._folder / f"{plan}.json"

    def keep(self, plan: str, content: bytes) -> None:
        """Keeps a plan: all of it, or nothing."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        temporary = self.path(plan).with_suffix(".tmp")
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.rename(self.path(plan))

    def read(self, plan: str) -> dict[str, Any] | None:
        """A plan; None where it is not there, or is none."""
        try:
            found: dict[str, Any] = json.loads(self.path(plan).read_bytes())
        except (FileNotFoundError, ValueError):
            return None
        return found

    def forget(self, plan: str) -> None:
        """Removes a plan, and the folder with the last one."""
        self.path(plan).unlink(missing_ok=True)
        # It is not empty, or was never there.
        with contextlib.suppress(OSError):
            self._folder.rmdir()

    def forget_others(self, plans: list[str]) -> None:
        """Removes all plans but these: what a driver left that was killed before it committed."""
        for path in self._folder.glob("*"):
            if path.stem not in plans:
                path.unlink()
        with contextlib.suppress(OSError):
            self._folder.rmdir()
