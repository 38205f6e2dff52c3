"""Running a process and measuring it, and what the machine is that it ran on."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import time
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path


@dataclass(frozen=True)
class Usage:
    """What one process took, with those it started and waited for."""

    wall: float
    cpu: float
    peak_bytes: int
    status: int


@dataclass
class Series:
    """The runs of one engine at one job."""

    runs: list[Usage] = field(default_factory=list)
    store_bytes: int = 0
    # Why there is no number; nothing where there is.
    fault: str = ""

    @property
    def wall(self) -> float:
        return statistics.median(run.wall for run in self.runs)

    @property
    def cpu(self) -> float:
        return statistics.median(run.cpu for run in self.runs)

    @property
    def peak_bytes(self) -> int:
        return round(statistics.median(run.peak_bytes for run in self.runs))


def run(command: list[str], log: Path) -> Usage:
    """Runs a command to its end; what it prints goes into the log."""
    with open(log, "wb") as output:
        start = time.monotonic()
        # A session of its own, so that what the process starts can be ended with it.
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            # Interrupted: what was started here also ends here.
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
            raise
        wall = time.monotonic() - start
    # The process has been waited for behind Popen's back; tell it, or it would wait again.
    process.returncode = os.waitstatus_to_exitcode(status)
    # ru_maxrss is in KiB on Linux: the largest of the process and of those it waited for.
    return Usage(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, process.returncode)


def synced(command: list[str], folder: Path) -> list[str]:
    """A command that ends when what it wrote below a folder has reached the disk.

    What was written before is brought there first, so that nobody pays for it.
    """
    os.sync()
    script = '"$@"; status=$?; sync -f "$0"; exit $status'
    return ["sh", "-c", script, str(folder), *command]


def write_and_sync(size: int, folder: Path) -> float:
    """Seconds for writing so many bytes into one file there and syncing it: `dd conv=fsync`."""
    block = os.urandom(1 << 20)
    path = folder / "sync-probe"
    start = time.monotonic()
    with open(path, "wb", buffering=0) as file:
        for offset in range(0, size, len(block)):
            file.write(block[:min(len(block), size - offset)])
        os.fsync(file.fileno())
    seconds = time.monotonic() - start
    path.unlink()
    return seconds


def machine(folder: Path) -> str:
    """Processors, their model, the system and the folder's file system, in one line."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    system = os.uname()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return (f"{os.cpu_count()} processors ({models[0] if models else 'model not known'}, "
            f"{system.machine}), {memory / 2**30:.0f} GiB of memory, {system.sysname} "
            f"{system.release.split('-')[0]}, exports and stores on {file_system(folder)}")


def origin(folder: Path, version: str) -> str:
    """Day, machine and program, as they stand above a table."""
    return f"{date.today().isoformat()}. {machine(folder)}. {version}."


def file_system(folder: Path) -> str:
    """The kind of file system a folder lies on."""
    found, kind = "", "an unknown file system"
    with open("/proc/self/mounts", encoding="utf-8") as file:
        for line in file:
            _, place, mounted = line.split()[:3]
            inside = str(folder.resolve() / "x").startswith(place.rstrip("/") + "/")
            if inside and len(place) >= len(found):
                found, kind = place, mounted
    return f"{kind} (memory)" if kind in ("tmpfs", "ramfs") else kind
