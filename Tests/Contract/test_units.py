"""The units of systemd: as systemd reads them, and what they leave the server to work with.

    python test_units.py MART FOLDER
"""

import ctypes
import fnmatch
import glob
import os
import re
import shutil
import struct
import subprocess
import sys
import unittest

from served import Server

MART, FOLDER = None, None
UNITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../pipelines/serving")
# Of ten, by systemd-analyze: below it nothing of what is left open is needless.
EXPOSURE = 2.0
ALLOW, EPERM, KILL = 0x7FFF0000, 0x00050001, 0x80000000


def settings(name):
    """The lines of a unit, each with its values in order."""
    found = {}
    with open(f"{UNITS}/{name}") as file:
        for line in file:
            if "=" in line and not line.startswith("#"):
                key, value = line.rstrip("\n").split("=", 1)
                found.setdefault(key, []).append(value)
    return found


def calls(group):
    """The system calls of one of systemd's groups, by name."""
    words = subprocess.run(["systemd-analyze", "syscall-filter", group], capture_output=True, text=True, check=True).stdout
    names = set()
    for line in words.splitlines()[1:]:
        word = line.strip()
        if word.startswith("@"):
            names |= calls(word)
        elif word and not word.startswith("#"):
            names.add(word)
    return names


def numbers():
    """The numbers of this machine's system calls."""
    for path in glob.glob("/usr/include/*-linux-gnu/asm/unistd_64.h"):
        with open(path) as file:
            return {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)", file.read())}
    return {}


class Filter:
    """A seccomp filter as a unit asks for it, for a child process."""

    def __init__(self, unit):
        known, allowed = numbers(), set()
        for value in unit["SystemCallFilter"]:
            groups = value.removeprefix("~").split()
            named = set().union(*(calls(group) for group in groups))
            allowed = allowed - named if value.startswith("~") else allowed | named
        action = EPERM if unit.get("SystemCallErrorNumber") == ["EPERM"] else KILL
        steps = [(0x20, 0, 0, 0)]
        for number in sorted(known[name] for name in allowed if name in known):
            steps += [(0x15, 0, 1, number), (0x06, 0, 0, ALLOW)]
        steps.append((0x06, 0, 0, action))
        self._code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
        self._count = len(steps)

    def __call__(self):
        class Program(ctypes.Structure):
            _fields_ = [("count", ctypes.c_ushort), ("code", ctypes.c_void_p)]

        program = Program(self._count, ctypes.addressof(self._code))
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, ctypes.byref(program), 0, 0) != 0:
            os._exit(99)


class Units(unittest.TestCase):
    def test_systemd_reads_them(self):
        folder = os.path.join(FOLDER, "units")
        os.makedirs(folder, exist_ok=True)
        programs = os.path.dirname(shutil.which("triptych-server"))
        for path in glob.glob(f"{UNITS}/*.service") + glob.glob(f"{UNITS}/*.path") + glob.glob(f"{UNITS}/*.timer"):
            with open(path) as file:
                text = file.read().replace("/opt/triptych/bin", programs)
            with open(os.path.join(folder, os.path.basename(path)), "w") as file:
                file.write(text)
        for path in sorted(glob.glob(f"{folder}/*")):
            ending = subprocess.run(["systemd-analyze", "verify", "--man=no", path], capture_output=True, text=True)
            said = [line for line in ending.stderr.splitlines() if "triptych" in line]
            self.assertEqual((ending.returncode, said), (0, []), path)

    def test_requests_begin_what_carries_them_out_and_nothing_else_does(self):
        pattern = os.path.basename(settings("triptych-runs.path")["PathExistsGlob"][0])
        self.assertTrue(fnmatch.fnmatchcase("0123456789abcdef" * 2 + ".request", pattern))
        for name in ["x.request", "a b.request", "0123456789abcdef" * 2 + ".running", "0" * 33 + ".request"]:
            self.assertFalse(fnmatch.fnmatchcase(name, pattern), name)

    def test_the_server_is_left_little(self):
        command = ["systemd-analyze", "security", "--offline=true", "--no-pager", f"{UNITS}/triptych-server.service"]
        words = subprocess.run(command, capture_output=True, text=True).stdout
        exposure = float(re.search(r"exposure level for \S+: ([\d.]+)", words)[1])
        self.assertLessEqual(exposure, EXPOSURE, words)

    def test_the_server_serves_with_what_it_is_left(self):
        unit = settings("triptych-server.service")
        self.assertGreater(len(calls("@system-service")), 200)
        left = Filter(unit)
        command = ["triptych-server", "serve", "--check", "--mart", MART]
        ending = subprocess.run(command, capture_output=True, text=True, preexec_fn=left)
        self.assertEqual(ending.returncode, 0, ending.stderr)
        with Server(MART, before=left) as server:
            self.assertEqual(server.ask("/readyz", name=None).status, 200)
            self.assertEqual(server.ask("/kpi").status, 200)
            self.assertEqual(server.stop(), 0)

    def test_its_settings_are_settings(self):
        names = settings("server.conf")
        with open(f"{UNITS}/server.conf") as file:
            text = file.read().replace("#TRIPTYCH", "TRIPTYCH")
        path = os.path.join(FOLDER, "server.conf")
        with open(path, "w") as file:
            file.write(text)
        ending = subprocess.run(["triptych-server", "serve", "--check", "--config", path], capture_output=True, text=True)
        # Nothing of what it names is on this machine; that is said, and not that a name is none.
        self.assertEqual(ending.returncode, 78)
        self.assertNotIn("there is no setting", ending.stderr)
        self.assertIn("TRIPTYCH_ISSUER", names)
        for line, words in [(b"TRIPTYCH_SIGNINS_PER_ADDRESS=3\n", "there is no setting"), (b"TRIPTYCH_MART='x'\n", "double quotes"),
                            (b"# a word\r\nTRIPTYCH_PORT=x\r\n", "port")]:
            with open(path, "wb") as file:
                file.write(line)
            ending = subprocess.run(["triptych-server", "serve", "--check", "--config", path], capture_output=True, text=True)
            self.assertEqual(ending.returncode, 78, line)
            self.assertIn(words, ending.stderr)
        ending = subprocess.run(["triptych-server", "serve", "--check", "--config", FOLDER], capture_output=True, text=True)
        self.assertEqual(ending.returncode, 78)
        self.assertIn("cannot be read", ending.stderr)

    def test_a_look_makes_nothing_and_finds_what_is_missing(self):
        identity = os.path.join(FOLDER, "not-there")
        base = ["triptych-server", "serve", "--check", "--mart", MART, "--identity", identity]
        ending = subprocess.run(base, capture_output=True, text=True)
        self.assertEqual(ending.returncode, 0, ending.stderr)
        self.assertIn("none: triptych-server user add", ending.stdout)
        self.assertFalse(os.path.exists(identity))
        for options, words in [(["--with-worker", "/nowhere"], "/nowhere cannot be read"), (["--mart", "/nowhere"], "there is no folder"),
                               (["--mail-command", "/no/mail", "--mail-from", "a@b.test"], "there is no program")]:
            ending = subprocess.run([*base, *options], capture_output=True, text=True)
            self.assertEqual(ending.returncode, 78, (options, ending.stdout, ending.stderr))
            self.assertIn(words, ending.stdout)


if __name__ == "__main__":
    FOLDER, MART = sys.argv.pop(), sys.argv.pop()
    unittest.main()
