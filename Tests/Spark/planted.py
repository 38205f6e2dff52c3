"""Copies of the package in which something dies once, at a chosen place: a worker, an executor, the
driver."""

from __future__ import annotations

import shutil
from pathlib import Path

from real_job import ENGINE

# By name: the module, its function, when (`begin`, `middle` of what it yields, `end`), and who
# dies.
PLACES: dict[str, tuple[str, str, str, str]] = {
    "a task that begins to read": ("tasks", "_read", "begin", "task"),
    "a task in the middle of reading": ("tasks", "_read", "middle", "task"),
    "a task that has read": ("tasks", "_read", "end", "task"),
    "a worker in the middle of reading": ("tasks", "_read", "middle", "executor"),
    "a task that begins to decide": ("tasks", "_resolve", "begin", "task"),
    "a task that has decided": ("tasks", "_resolve", "end", "task"),
    "a worker that has decided": ("tasks", "_resolve", "end", "executor"),
    "a task that begins to write": ("accepted", "_write", "begin", "task"),
    "a task that has written": ("accepted", "_write", "end", "task"),
    "a worker that has written": ("accepted", "_write", "end", "executor"),
    "the driver between reading and deciding": ("cluster", "Work._resolved", "begin", "driver"),
    "the driver before anything is committed": ("committed", "Committed.commit", "begin", "driver"),
    "the driver before the manifest": ("committed", "by_month", "begin", "driver"),
    "the driver in the middle of committing": ("storage", "Storage.rename", "end", "driver"),
    "the driver before it publishes": ("committed", "Committed.publish", "begin", "driver"),
    "the driver that has published": ("driver", "Driver.publish", "end", "driver"),
}

_FAULT = """

def _planted(function):
    import functools, inspect, os, signal

    def die():
        try:
            os.close(os.open({marker!r}, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return
        process = os.getpid()
        if {whom!r} == "executor":
            # Python's worker is a child of its daemon, which is one of the executor.
            for _ in range(2):
                with open(f"/proc/{{process}}/stat") as stat:
                    process = int(stat.read().rpartition(")")[2].split()[1])
        os.kill(process, signal.SIGKILL)

    if inspect.isgeneratorfunction(function):
        @functools.wraps(function)
        def run(*arguments, **named):
            if {when!r} == "begin":
                die()
            for one in function(*arguments, **named):
                yield one
                if {when!r} == "middle":
                    die()
            if {when!r} == "end":
                die()
    else:
        @functools.wraps(function)
        def run(*arguments, **named):
            if {when!r} == "begin":
                die()
            found = function(*arguments, **named)
            if {when!r} == "end":
                die()
            return found
    return run


{function} = _planted({function})
"""


def engine_with(place: str, folder: Path) -> Path:
    """A copy of the package below a folder, whose fault happens once; the file `fault` there says
    that it has."""
    module, function, when, whom = PLACES[place]
    copy = folder / "engine"
    shutil.copytree(ENGINE, copy)
    path = copy / "triptych_spark" / f"{module}.py"
    text = _FAULT.format(marker=str(folder / "fault"), whom=whom, when=when, function=function)
    path.write_text(path.read_text() + text)
    return copy
