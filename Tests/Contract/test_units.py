"""The units of systemd: as systemd reads them, and what they leave the server to work with.

    python test_units.py MART FOLDER
"""

import ctypes
import fnmatch
import glob
import os
import re
import shutil
import socket
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
    """The system calls of one of systemd's groups, by name; of what is no group, itself."""
    if not group.startswith("@"):
        return {group}
    words = subprocess.run(["systemd-analyze", "syscall-filter", group], capture_output=True, text=True, check=True).stdout
    names = set()
    for line in words.splitlines()[1:]:
        word = line.strip()
        if word and not word.startswith("#"):
            names |= calls(word)
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
        self.allowed = allowed
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
        drop_in = os.path.join(folder, "triptych-server.service.d")
        os.makedirs(drop_in, exist_ok=True)
        for name in ["port-443.conf", "mail.conf", "networks.conf"]:
            shutil.copy(f"{UNITS}/{name}", drop_in)
        for path in sorted(glob.glob(f"{folder}/*.*[a-z]")):
            if os.path.isdir(path):
                continue
            ending = subprocess.run(["systemd-analyze", "verify", "--man=no", path], capture_output=True, text=True)
            said = [line for line in ending.stderr.splitlines() if "triptych" in line]
            self.assertEqual((ending.returncode, said), (0, []), path)

    def test_it_is_there_again_within_a_second_however_often_it_is_killed(self):
        unit = settings("triptych-server.service")
        self.assertEqual((unit["Restart"], unit["RestartSec"], unit["StartLimitIntervalSec"]), (["on-failure"], ["100ms"], ["0"]))
        # Nothing is run before it, and only what somebody must mend first is not tried again.
        self.assertNotIn("ExecStartPre", unit)
        self.assertEqual(unit["RestartPreventExitStatus"], ["78"])

    def test_what_the_text_has_installed_is_what_the_unit_begins(self):
        with open(f"{UNITS}/README.md") as file:
            text = file.read()
        program, _, _, path = settings("triptych-server.service")["ExecStart"][0].split(" ", 3)
        conf = settings("server.conf")
        for words in [f"{os.path.dirname(program)}/\n", f"{program} user add", f"--config {path.split()[-1]}",
                      conf["TRIPTYCH_CERTIFICATE"][0], conf["TRIPTYCH_CERTIFICATE_KEY"][0], conf["TRIPTYCH_KEY_FILE"][0],
                      os.path.dirname(conf["TRIPTYCH_IDENTITY"][0]) + "\n", conf["TRIPTYCH_ISSUER"][0] + "/readyz"]:
            self.assertIn(words, text)
        # Nobody can sign in where the port of the issuer is another one than it listens at.
        self.assertTrue(conf["TRIPTYCH_ISSUER"][0].endswith(":" + conf["TRIPTYCH_PORT"][0]))
        self.assertGreater(int(conf["TRIPTYCH_PORT"][0]), 1023)
        self.assertEqual(settings("port-443.conf")["PrivateUsers"], ["no"])

    def test_nothing_of_its_memory_is_written_where_it_crashes(self):
        unit = settings("triptych-server.service")
        self.assertEqual((unit["LimitCORE"], unit["Environment"]), (["0"], ["SWIFT_BACKTRACE=enable=no"]))

    def test_what_fetches_an_issuers_keys_trusts_certificates_alone(self):
        words = settings("triptych-issuer-keys.service")["ExecStart"][0].split()
        self.assertEqual(words[0], "/usr/bin/curl")
        self.assertEqual(words[words.index("--proto") + 1], "=https")
        # Every option by its long name: none that takes an address elsewhere, or a certificate that is nobody's.
        options = {"--fail", "--silent", "--show-error", "--proto", "--max-filesize", "--max-time", "--output"}
        self.assertEqual({word for word in words if word.startswith("-")}, options)

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

    def test_it_calls_nobody_but_where_e_mails_are_sent(self):
        unit, mail = settings("triptych-server.service"), settings("mail.conf")["SystemCallFilter"]
        call = ("import socket, sys; there = ('127.0.0.1', int(sys.argv[1]));"
                "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'.', there) if sys.argv[2] == 'datagram' else "
                "socket.create_connection(there)")
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = str(server.getsockname()[1])
            for filters, status in [([], 1), (mail, 0)]:
                left = Filter({**unit, "SystemCallFilter": unit["SystemCallFilter"] + filters})
                # Through a ring calls are made that no filter sees.
                self.assertEqual([name for name in left.allowed if name.startswith("io_uring")], [])
                for way in ["connection", "datagram"]:
                    ending = subprocess.run([sys.executable, "-c", call, port, way], capture_output=True, text=True, preexec_fn=left)
                    self.assertEqual(ending.returncode, status, ending.stderr)
                    self.assertEqual("PermissionError" in ending.stderr, status == 1, ending.stderr)

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


class Looks(unittest.TestCase):
    """A look says no where serving would, of the same folder, key or host."""

    def setUp(self):
        self.folder = os.path.join(FOLDER, "look-" + self._testMethodName)
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.identity = os.path.join(self.folder, "identity")
        self.base = ["--mart", MART, "--identity", self.identity, "--port", "0", "--issuer", "https://a.test"]

    def run_it(self, *options):
        command = ["triptych-server", "serve", *self.base, *options]
        ending = subprocess.run(command, capture_output=True, text=True, timeout=120)
        return ending.returncode, ending.stdout + ending.stderr

    def made(self):
        """A folder with an account."""
        command = ["triptych-server", "user", "add", "one", "--role", "viewer", "--no-password", "--identity", self.identity]
        subprocess.run(command, check=True, capture_output=True)
        return self.identity

    def refused(self, words, *options, status=78):
        """Both refuse, and the look says why."""
        looked, text = self.run_it("--check", *options)
        self.assertEqual(looked, 78, text)
        self.assertIn(words, text)
        served, text = self.run_it(*options)
        self.assertEqual(served, status, text)

    def test_a_mart_that_is_not_there(self):
        os.mkdir(os.path.join(self.folder, "demo"))
        mistyped = os.path.join(self.folder, "dmeo")
        self.base = ["--port", "0", "--issuer", "https://a.test"]
        self.refused("there is no folder", "--mart", mistyped)
        _, text = self.run_it("--mart", mistyped)
        self.assertIn(f"--mart: the mart cannot be served: there is no folder '{mistyped}'. Did you mean '{self.folder}/demo'?", text)
        self.assertIn(f"triptych run PIPELINE --mart {mistyped}", text)
        # Nothing was made beside it, and it did not listen.
        self.assertEqual(os.listdir(self.folder), ["demo"])
        self.assertNotIn("listening", text)

    def test_a_mart_that_is_a_file(self):
        path = os.path.join(self.folder, "README.md")
        with open(path, "w"):
            pass
        self.base = ["--port", "0", "--issuer", "https://a.test"]
        self.refused("is no folder", "--mart", path)
        self.assertEqual(os.listdir(self.folder), ["README.md"])

    def key(self):
        return glob.glob(os.path.join(self.identity, "signing-keys", "*.pem"))[0]

    def test_what_can_be_served_is_looked_at_and_left_as_it_is(self):
        self.made()
        before = {path: os.stat(path).st_mtime_ns for path in glob.glob(self.identity + "/**", recursive=True)}
        status, text = self.run_it("--check")
        self.assertEqual(status, 0, text)
        self.assertIn("every byte is as published", text)
        self.assertEqual(before, {path: os.stat(path).st_mtime_ns for path in glob.glob(self.identity + "/**", recursive=True)})

    def test_a_file_in_place_of_the_accounts(self):
        with open(self.identity, "w"):
            os.chmod(self.identity, 0o600)
        self.refused(self.identity, status=74)

    def test_a_folder_of_accounts_that_others_read(self):
        os.chmod(self.made(), 0o755)
        self.refused("chmod go-rwx")

    def test_a_folder_of_accounts_that_cannot_be_made(self):
        self.base[3] = os.path.join(self.folder, "not", "there")
        self.refused("not/there", status=74)

    def test_a_secret_that_is_missing(self):
        os.remove(self.made() + "/secret")
        self.refused("Restore it from its backup", status=74)

    def test_a_signing_key_that_is_damaged(self):
        self.made()
        with open(self.key(), "w") as file:
            file.write("no key")
        self.refused("is not a valid file of its kind")

    def test_a_signing_key_that_others_read(self):
        self.made()
        os.chmod(self.key(), 0o644)
        self.refused("chmod go-rwx")

    def test_accounts_that_are_none(self):
        with open(self.made() + "/accounts.sqlite", "w") as file:
            file.write("no accounts" * 100)
        self.refused("accounts", status=74)

    def test_reference_files_that_are_not_there(self):
        pipeline = os.path.join(UNITS, "../ambulance")
        status, text = self.run_it("--check", "--with-worker", pipeline, "--reference", "/nope")
        self.assertEqual(status, 78, text)
        self.assertIn("/nope cannot be read", text)

    def test_a_host_that_leads_nowhere(self):
        chain, key = [os.path.join(self.folder, name) for name in ("chain.pem", "key.pem")]
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=a.test",
             "-days", "2", "-out", chain, "-keyout", key], check=True, capture_output=True)
        for path in (chain, key):
            os.chmod(path, 0o600)
        secure = ["--certificate", chain, "--certificate-key", key]
        self.refused("is no address, and no name", *secure, "--host", "nowhere.invalid", status=74)
        # An address that documents use, and no machine.
        self.refused("is no address of this machine", *secure, "--host", "192.0.2.1", status=74)
        self.refused("there is no file", "--certificate", chain, "--certificate-key", self.folder + "/none.pem")
        self.refused("cannot be read as a private key", "--certificate", chain, "--certificate-key", chain)

    def test_a_port_that_a_server_has_is_no_fault(self):
        with Server(MART) as server:
            status, text = self.run_it("--check", "--port", str(server.port))
            self.assertEqual(status, 0, text)
            self.assertIn("a program listens at it already", text)

    def test_a_generation_whose_bytes_are_others(self):
        mart = os.path.join(self.folder, "mart")
        shutil.copytree(MART, mart, symlinks=True)
        served = os.path.realpath(os.path.join(mart, "triptych.sqlite"))
        os.chmod(served, 0o640)
        with open(served, "r+b") as file:
            file.seek(-1, os.SEEK_END)
            last = file.read(1)
            file.seek(-1, os.SEEK_END)
            file.write(bytes([last[0] ^ 1]))
        self.base[1] = mart
        status, text = self.run_it("--check")
        self.assertEqual(status, 78, text)
        self.assertRegex(text, "differs from its check sums|the newest cannot be read")


if __name__ == "__main__":
    FOLDER, MART = sys.argv.pop(), sys.argv.pop()
    unittest.main()
