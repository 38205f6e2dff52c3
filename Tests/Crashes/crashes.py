#!/usr/bin/env python3
"""Ends, tears and refuses every call by which the program changes files, and judges what is left.

    crashes.py --folder DIR [--seed N] [--cases N | --all] [--pairs N] [--steps first,rollback]

DIR must not exist; it shall lie on a file system as a mart does. The program is the one on the
path, the C compiler `cc` or `clang`. faults.c says which calls are met, and how.

Each step of scenario.py (a first night, a second one, …) is done once without a fault; that
counts its calls. Then, for chosen calls and every kind of fault, a copy of the mart is disturbed
at that call, and

* readers then get the complete old state or the complete new one, from `kpi` as through
  the link; the command ends with a documented status and a sentence, never by a signal of its own,
  and with 0 or 10 only where the new state is served;
* the next plain run succeeds, and after the command is given once more everything equals the mart
  that met no fault, and nothing is left lying about.

What is neither is a bad state. With --pairs that many cases meet a second fault in the next run.
"""

import argparse
import collections
import os
import random
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from scenario import RUN, STEPS, Scenario, Step
from states import Mixed, State, remains, served

HERE = Path(__file__).resolve().parent
MODES = ["kill", "torn", "short", "ENOSPC", "ENOSPC+", "EIO", "EIO+"]
MOVES_BYTES = {"write", "pwrite", "writev", "pwritev", "sendfile", "copy_file_range"}
# What a command that met a fault of the disk may end with. 0 and 10 also promise the new state.
STATUSES = {0, 10, 73, 74}
CRASHED = re.compile("Fatal error|Stack dump|Segmentation|Illegal instruction")


@dataclass(frozen=True)
class Call:
    """One counted call of an undisturbed step."""

    number: int
    kind: str
    path: str

    @property
    def place(self) -> tuple[str, str]:
        """What was called on which kind of file."""
        name = re.sub("[0-9a-f]{64}|[0-9a-f]{8}|[0-9]+", "#", "/".join(self.path.split("/")[-2:]))
        return self.kind, name


@dataclass(frozen=True)
class Undisturbed:
    """A step that met no fault."""

    step: Step
    mart: Path
    calls: list[Call]
    old: State | None
    new: State | None
    # What a plain run ends with before the step, and after it.
    status_before: int
    status_after: int


@dataclass(frozen=True)
class Case:
    """One fault, and the one that the next run meets."""

    done: Undisturbed
    call: Call
    mode: str
    then: tuple[int, str] | None

    def __str__(self) -> str:
        second = f", then {self.then[1]} at {self.then[0]}" if self.then else ""
        return f"{self.done.step.name}: {self.mode} at call {self.call.number}{second}"


class Crashes:
    """The cases of one seed."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self.chosen = chosen
        self.folder = Path(chosen.folder).resolve()
        self.folder.mkdir(parents=True)
        self.random = random.Random(chosen.seed)
        self.scenario = Scenario(self.folder / "files", chosen.seed)
        self.library = self.folder / "faults.so"
        compiler = shutil.which("cc") or shutil.which("clang")
        if compiler is None:
            raise SystemExit("a C compiler is missing: cc or clang")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Werror",
                        "-o", str(self.library), str(HERE / "faults.c"), "-ldl"], check=True)
        self.met: collections.Counter[str] = collections.Counter()
        self.endings: collections.Counter[str] = collections.Counter()

    def start(self, words: list[str], folder: Path, fault: tuple[int, str] | None = None,
              log: Path | None = None, before: list[str] | None = None
              ) -> subprocess.CompletedProcess[str]:
        """Runs one command beside its mart, with a fault or counting."""
        environment = {**os.environ, "TRIPTYCH_MART": str(folder / "mart")}
        if log is not None:
            environment |= {"LD_PRELOAD": str(self.library), "FAULT_LOG": str(log)}
        if fault is not None:
            environment |= {"FAULT_AT": str(fault[0]), "FAULT_MODE": fault[1]}
        return subprocess.run([*(before or []), *words], env=environment, capture_output=True,
                              text=True, errors="replace", timeout=120)

    def plain(self, step: Step, folder: Path) -> subprocess.CompletedProcess[str]:
        return self.start(self.scenario.command(step, RUN), folder)

    def undisturbed(self, step: Step, base: Path | None) -> Undisturbed:
        """Does a step without a fault, beside strace, which must count the same calls."""
        folder, log = self.folder / "undisturbed" / step.name, self.folder / f"{step.name}.calls"
        before = self.folder / "before" / step.name
        for each in (folder, before):
            self.scenario.copy(base, each)
            self.scenario.prepare(step, each / "mart")
        old = served(folder / "mart")
        trace = self.folder / f"{step.name}.strace"
        tracer = ["strace", "-f", "-y", "-e", f"trace={','.join(TRACED)}", "-o", str(trace)]
        ending = self.start(self.scenario.command(step), folder, log=log, before=tracer)
        if ending.returncode not in (0, 10):
            raise SystemExit(f"{step.name} ends with {ending.returncode}: {ending.stderr}")
        calls = [Call(int(number), kind, path) for number, kind, path in
                 (line.split(" ", 2) for line in log.read_text().splitlines())]
        counted = collections.Counter(call.kind for call in calls)
        if (traced := kinds_traced(trace, str(log))) != counted:
            raise SystemExit(f"{step.name}: strace counts {traced}, faults.c {counted}")
        new = served(folder / "mart")
        old_state, new_state = old and old[1], new and new[1]
        if step.publishes == (old_state == new_state):
            raise SystemExit(f"{step.name}: what is served did not change as expected")
        statuses = [self.plain(step, each).returncode for each in (before, folder)]
        # The plain run must find the same as before: what it prints is not at stake.
        again = served(folder / "mart")
        if (again and again[1]) != new_state and not step.is_queue:
            raise SystemExit(f"{step.name}: a plain run afterwards changes what is served")
        return Undisturbed(step, folder, calls, old_state, new_state, *statuses)

    def cases(self, done: list[Undisturbed]) -> list[Case]:
        """All of them, or a choice that has every mode with every kind of call of every step, and
        every place with some mode."""
        wanted: dict[tuple[int, int, str], None] = {}
        others: list[tuple[int, int, str]] = []
        for index, one in enumerate(done):
            by_kind, by_place = collections.defaultdict(list), collections.defaultdict(list)
            for position, call in enumerate(one.calls):
                for mode in MODES:
                    if mode == "short" and call.kind not in MOVES_BYTES:
                        continue
                    choice = (index, position, mode)
                    by_kind[call.kind, mode].append(choice)
                    by_place[call.place].append(choice)
                    others.append(choice)
            for group in [*by_kind.values(), *by_place.values()]:
                wanted[self.random.choice(group)] = None
        self.random.shuffle(others)
        for choice in others:
            if not self.chosen.all and len(wanted) >= self.chosen.cases:
                break
            wanted[choice] = None
        found = []
        for number, (index, position, mode) in enumerate(wanted):
            one = done[index]
            second = (self.random.randint(1, len(one.calls)), self.random.choice(MODES))
            is_pair = number < self.chosen.pairs
            found.append(Case(one, one.calls[position], mode, second if is_pair else None))
        return found

    def judged(self, number: int, case: Case) -> list[str]:
        """Disturbs a copy of the mart; gives what is bad about what is left."""
        step, folder = case.done.step, self.folder / "cases" / str(number)
        base = self.folder / "undisturbed" / step.after / "kept" if step.after else None
        log = self.folder / "cases" / f"{number}.calls"
        self.scenario.copy(base, folder)
        self.scenario.prepare(step, folder / "mart")
        try:
            fault = (case.call.number, case.mode)
            ending = self.start(self.scenario.command(step), folder, fault, log)
            for line in log.read_text().splitlines()[:1]:
                self.met[f"{line.split(' ')[1]} {case.mode}"] += 1
            bad = self.ending(case, ending) + self.readers(case, folder, ending)
            if case.then and not bad:
                self.start(self.scenario.command(step, RUN), folder, case.then, log)
                bad += self.readers(case, folder, None)
            return bad or self.next_run(case, folder)
        except Mixed as mixed:
            return [f"{case}: {mixed}"]
        except subprocess.TimeoutExpired as error:
            return [f"{case}: no end after {error.timeout} s"]
        finally:
            if not self.chosen.keep:
                shutil.rmtree(folder, ignore_errors=True)
                log.unlink(missing_ok=True)

    def ending(self, case: Case, ending: subprocess.CompletedProcess[str]) -> list[str]:
        """Whether the command ended as a command may."""
        self.endings[f"{case.mode} {ending.returncode}"] += 1
        printed = ending.stdout + ending.stderr
        if case.mode in ("kill", "torn") and ending.returncode == -9:
            return []
        if ending.returncode not in STATUSES | {0, 10} or CRASHED.search(printed):
            return [f"{case}: status {ending.returncode}: {printed[:600]}"]
        if ending.returncode not in (0, 10) and len(printed.split()) < 5:
            return [f"{case}: status {ending.returncode} without a sentence: {printed!r}"]
        return []

    def readers(self, case: Case, folder: Path,
                ending: subprocess.CompletedProcess[str] | None) -> list[str]:
        """Whether readers get one of the two states, and the one that the command named."""
        done = case.done
        found = served(folder / "mart")
        state = found and found[1]
        allowed = {"old": done.old, "new": done.new}
        match = [name for name, other in allowed.items() if is_same(state, other)]
        if not match:
            return [f"{case}: what is served is neither the old state nor the new one"]
        if state and state.suppressed not in {
                "" if each is None else each.suppressed for each in (done.old, done.new)}:
            return [f"{case}: kpi.sqlite is neither the old cube nor the new one"]
        # What became of a request is asked when it is over.
        if ending is None or not done.step.publishes or done.step.is_queue:
            return []
        if ending.returncode == -9:
            return []
        promised = ending.returncode in (0, 10)
        if promised != ("new" in match):
            return [f"{case}: status {ending.returncode}, and the {match[0]} state is served: "
                    f"{(ending.stdout + ending.stderr)[:600]}"]
        return []

    def next_run(self, case: Case, folder: Path) -> list[str]:
        """Whether a plain run succeeds, and the command once more ends where no fault ended."""
        step, done = case.done.step, case.done
        wanted = {done.status_before, done.status_after, 0, 10}
        self.scenario.age(folder / "mart" / "plans", ".building-*")
        found = None
        for words in (RUN, step.arguments):
            ending = self.start(self.scenario.command(step, words), folder)
            if ending.returncode not in wanted:
                return [f"{case}: the next {words[0]} ends with {ending.returncode}: "
                        f"{(ending.stdout + ending.stderr)[:600]}"]
            found = served(folder / "mart")
            is_done = step.publishes and is_same(found and found[1], done.new)
            if is_done and not step.is_queue:
                break
        if step.is_queue:
            outcome = self.scenario.outcome(folder / "mart")
            if outcome not in ("published", "failed"):
                return [f"{case}: the request is never ended"]
            # A request that failed says so, and is not tried again.
            if outcome == "failed":
                return [] if found and found[1] == done.old else [f"{case}: failed, and served"]
        if found is None or found[1] != done.new:
            return [f"{case}: after another run what is served differs from an undisturbed mart"]
        if left := remains(folder / "mart") - remains(done.mart / "mart"):
            return [f"{case}: left behind: {', '.join(sorted(left))}"]
        return []

    def run(self) -> int:
        done: dict[str, Undisturbed] = {}
        needed = {step.name for step in STEPS if step.name in self.chosen.steps}
        for step in reversed(STEPS):
            if step.name in needed and step.after:
                needed.add(step.after)
        for step in STEPS:
            if step.name not in needed:
                continue
            base = self.folder / "undisturbed" / step.after / "kept" if step.after else None
            done[step.name] = self.undisturbed(step, base)
            self.scenario.copy(done[step.name].mart, done[step.name].mart / "kept")
        chosen = [one for one in done.values() if one.step.name in self.chosen.steps]
        print(", ".join(f"{one.step.name} {len(one.calls)} calls" for one in chosen), flush=True)
        cases = self.cases(chosen)
        bad: list[str] = []
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for faults in pool.map(self.judged, range(len(cases)), cases):
                for fault in faults:
                    print(fault, flush=True)
                bad += faults
        self.report(chosen)
        print(f"{len(cases)} cases of {sum(len(one.calls) for one in chosen)} calls, "
              f"seed {self.chosen.seed}: {len(bad)} bad states")
        return 1 if bad else 0

    def report(self, done: list[Undisturbed]) -> None:
        """How often each kind of call met each kind of fault, and how commands ended."""
        kinds = sorted({call.kind for one in done for call in one.calls})
        width = max(map(len, kinds))
        print(" " * width, *(f"{mode:>8}" for mode in MODES))
        for kind in kinds:
            print(f"{kind:{width}}", *(f"{self.met[f'{kind} {mode}']:8}" for mode in MODES))
        print("ended with:", ", ".join(f"{name} ×{count}"
                                       for name, count in sorted(self.endings.items())))


def is_same(one: State | None, other: State | None) -> bool:
    """Whether two states give the same numbers and tables; the suppressed cube follows later."""
    if one is None or other is None:
        return one is other
    return (one.numbers, one.tables) == (other.numbers, other.tables)


# The calls of the kernel that faults.c stands before, by the kind it calls them.
TRACED = {
    "write": "write", "pwrite64": "pwrite", "writev": "writev", "pwritev": "pwritev",
    "pwritev2": "pwritev", "sendfile": "sendfile", "copy_file_range": "copy_file_range",
    "fsync": "fsync", "fdatasync": "fdatasync", "syncfs": "syncfs",
    "sync_file_range": "sync_file_range", "ftruncate": "ftruncate", "truncate": "truncate",
    "fallocate": "fallocate", "rename": "rename", "renameat": "rename", "renameat2": "rename",
    "link": "link", "linkat": "link", "symlink": "symlink", "symlinkat": "symlink",
    "unlink": "unlink", "unlinkat": "unlink", "rmdir": "rmdir", "mkdir": "mkdir",
    "mkdirat": "mkdir", "open": "open", "openat": "open", "openat2": "open", "creat": "open",
}
# Of these the first descriptor is what is written to, or the second where two files take part.
BY_FILE = MOVES_BYTES | {"fsync", "fdatasync", "syncfs", "sync_file_range", "ftruncate",
                         "fallocate"}


def kinds_traced(trace: Path, log: str) -> collections.Counter[str]:
    """The calls that strace saw, by the kinds of faults.c, without those that it does not count."""
    found: collections.Counter[str] = collections.Counter()
    for line in trace.read_text(errors="replace").splitlines():
        call = re.match(r"\d+ +(\w+)\((.*)", line)
        if not call or call[1] not in TRACED or log in line:
            continue
        kind, rest = TRACED[call[1]], call[2]
        if kind == "unlink" and "AT_REMOVEDIR" in rest:
            kind = "rmdir"
        if kind == "open" and call[1] != "creat" and not re.search("O_CREAT|O_TMPFILE", rest):
            continue
        if kind in BY_FILE:
            files = re.findall(r"(\d+)<([^>]*)>", rest)
            place = 1 if kind == "copy_file_range" else 0
            if len(files) <= place or int(files[place][0]) <= 2 or files[place][1][:1] != "/":
                continue
        found[kind] += 1
    return found


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="crashes.py", description=__doc__.split("\n")[0])
    names = [step.name for step in STEPS]
    parser.add_argument("--folder", required=True, help="a folder that does not exist yet")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=1000, help="how many, at least")
    parser.add_argument("--all", action="store_true", help="every call with every kind of fault")
    parser.add_argument("--pairs", type=int, default=100,
                        help="how many meet a second fault in the next run")
    parser.add_argument("--steps", type=lambda text: text.split(","), default=names)
    parser.add_argument("--keep", action="store_true", help="keep the marts of all cases")
    return parser.parse_args()


if __name__ == "__main__":
    os.environ.setdefault("TRIPTYCH_NOW", "2026-11-01T06:14:00Z")
    os.environ.setdefault("TRIPTYCH_THREADS", "2")
    sys.exit(Crashes(words()).run())
