"""A share of the processors for a process, so that the rest of the machine can ask more of it than it can answer."""

from __future__ import annotations

import contextlib
import subprocess
from pathlib import Path
from types import TracebackType

# Short, so that whoever is limited never stands still for as long as somebody notices.
PERIOD_MICROSECONDS = 10_000
TREE = Path("/sys/fs/cgroup")


class Share:
    """Limits a process and what it begins to a part of one processor, by a control group of its own (root alone may)."""

    def __init__(self, process: int, part: float) -> None:
        self._process, self._part = process, part
        self._parent = TREE / "cpu" if (TREE / "cpu/cpu.cfs_quota_us").exists() else TREE
        self._group = self._parent / f"triptych-{process}"

    def __enter__(self) -> Share:
        quota = round(PERIOD_MICROSECONDS * self._part)
        try:
            self._group.mkdir()
            if (self._group / "cpu.cfs_quota_us").exists():
                (self._group / "cpu.cfs_period_us").write_text(str(PERIOD_MICROSECONDS), encoding="ascii")
                (self._group / "cpu.cfs_quota_us").write_text(str(quota), encoding="ascii")
            else:
                (self._group / "cpu.max").write_text(f"{quota} {PERIOD_MICROSECONDS}", encoding="ascii")
            self._move(self._group)
        except OSError as fault:
            self.__exit__(None, None, None)
            raise SystemExit(f"no control group limits the server's processors ({fault}): only root may, and not in every "
                             "container; name the other rows to measure these alone") from fault
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None,
                 trace: TracebackType | None) -> None:
        # Where the server has ended, it is in none.
        with contextlib.suppress(OSError):
            self._move(self._parent)
        with contextlib.suppress(OSError):
            self._group.rmdir()

    @property
    def periods(self) -> tuple[int, int]:
        """How many there were, and in how many of them it used its share up."""
        lines = dict(line.split() for line in (self._group / "cpu.stat").read_text(encoding="ascii").splitlines())
        return int(lines["nr_periods"]), int(lines["nr_throttled"])

    def throttled(self, since: tuple[int, int]) -> float:
        """In which part of the periods since then it used its share up."""
        count, throttled = (now - before for now, before in zip(self.periods, since))
        return throttled / count if count else 0

    def _move(self, group: Path) -> None:
        (group / "cgroup.procs").write_text(str(self._process), encoding="ascii")


def available() -> None:
    """Ends the program where nobody can be limited, before anything is measured."""
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as nobody, Share(nobody.pid, 1):
        pass
