"""Throws requests at the server that its contract suggests, valid and not, and reads every answer.

    python fuzz.py MART [--examples N] [--least N] [--seed N]

Ends with 1 where schemathesis found a fault, threw fewer requests than the least, or had no success with some operation: where
all that is asked for is refused, nothing is said of what is answered. Examples are how many requests are thought up per
operation at most.
"""

import argparse
import collections
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import threading

from browser import Mailer
from contract import Contract
from served import CLIENT, PASSWORD, Server, account

# A token lives for ten minutes.
RENEWAL_SECONDS = 240
HERE = os.path.dirname(os.path.abspath(__file__))
DOCUMENT = os.path.join(HERE, "../../Sources/TripServer/API/health-dashboard.yaml")
# Those whose passwords are set anew, the first with one at hand; the others by an e-mail, which opens one way and goes out once
# in five minutes. Another time they are others.
OWNER, *FORGETFUL = [f"forgetful-{secrets.token_hex(4)}" for _ in range(4)]


class CountedServer(Server):
    """A server that is also asked from here, and knows what of its figures is that."""

    def __init__(self, *arguments):
        self.own, self._lock = collections.Counter(), threading.Lock()
        super().__init__(*arguments)

    def ask(self, path, method="GET", headers=None, body=None, name="viewer"):
        answer = super().ask(path, method, headers, body, name)
        with self._lock:
            self.own[path.split("?")[0], method] += 200 <= answer.status < 400
        return answer

    def successes(self):
        """How often each route and method had a success for somebody else."""
        found = collections.Counter()
        figures = self.ask("/metrics", name=None).body.decode()
        for route, method, status, count in re.findall(r'_count\{route="(.*)",method="(.*)",status="(\d+)"\} (\d+)', figures):
            if 200 <= int(status) < 400:
                found[route, method] += int(count)
        with self._lock:
            return found - self.own


def renew(server, path):
    """Puts a new token into its file, whole."""
    write(path, server.sign_in("fuzzer")["access_token"])


def write(path, text):
    with open(path + ".new", "w") as file:
        file.write(text)
    os.replace(path + ".new", path)


def keep_renewing(server, path, ends):
    while not ends.wait(RENEWAL_SECONDS):
        renew(server, path)


def values(server, mailer):
    """What is there to be asked for, which nobody thinks up."""
    listed = {
        name: [one[key] for one in server.ask(path, name="fuzzer").json[name]]
        for name, path, key in [
            ("months", "/months", "month"), ("regions", "/regions", "region"), ("trip_types", "/trip-types", "trip_type"),
        ]
    }
    links = []
    for name in FORGETFUL:
        server.send("/forgotten", {"username": name})
        email = mailer.email(name + "@agency.test", server)
        links.append(re.search(r"token=(\S+)", email)[1])
    trips = server.ask("/trips?limit=50", name="fuzzer").json["trips"]
    return {
        **listed, "links": links, "refs": [trip["ref"] for trip in trips], "client": CLIENT,
        "person": {"username": "keeper", "password": PASSWORD}, "owner": {"username": OWNER, "password": PASSWORD},
        "new_password": "yet another way to the river",
        "refresh_token": server.sign_in("keeper")["refresh_token"],
    }


def without_success(server):
    """The operations that refused all that was asked of them."""
    with open(DOCUMENT, encoding="utf-8") as file:
        contract = Contract(file.read())
    found = server.successes()
    return [
        f"{method} {path}" for path, method in contract.operations()
        if not found[path.replace("/trip/{id}", "/trip/{ref}"), method]
    ]


def throw(options, server, mailer, folder):
    """Has schemathesis throw its requests; returns its status and how many they were."""
    command = [
        os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "schemathesis"),
        "--config-file", os.path.join(HERE, "schemathesis.toml"),
        "run", DOCUMENT,
        "--url", f"http://127.0.0.1:{server.port}",
        "--max-examples", str(options.examples),
        "--seed", str(options.seed),
        "--checks", "all",
        "--workers", "2",
        # Passwords are made slow on purpose, and two at a time are looked at: on a busy machine one takes seconds.
        "--max-response-time", "60",
        "--no-color",
    ]
    path, ends = os.path.join(folder, "token"), threading.Event()
    renew(server, path)
    write(os.path.join(folder, "values"), json.dumps(values(server, mailer)))
    threading.Thread(target=keep_renewing, args=(server, path, ends)).start()
    environment = {
        **os.environ, "SCHEMATHESIS_HOOKS": "fuzz_hooks", "PYTHONPATH": HERE,
        "FUZZ_TOKEN": path, "FUZZ_VALUES": os.path.join(folder, "values"),
    }
    # It keeps what it found in the folder it is started in.
    ending = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, env=environment)
    count = 0
    for line in ending.stdout:
        print(line, end="", flush=True)
        found = re.search(r"(\d[\d,]*) generated", line)
        count = int(found[1].replace(",", "")) if found else count
    ending.wait()
    ends.set()
    return ending.returncode, count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mart")
    parser.add_argument("--examples", type=int, default=100)
    parser.add_argument("--least", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    # Who may ask everything; nothing carries out the runs that are asked for.
    account(options.mart, "fuzzer", "--role", "analyst")
    account(options.mart, "keeper", "--role", "viewer")
    for name in [OWNER, *FORGETFUL]:
        account(options.mart, name, "--role", "viewer", "--email", name + "@agency.test")
    with tempfile.TemporaryDirectory() as folder:
        mailer = Mailer(folder)
        mailing = ["--mail-command", mailer.path + " -t", "--mail-from", "triptych@agency.test"]
        with CountedServer(options.mart, mailing) as server:
            status, count = throw(options, server, mailer, folder)
            # A server that is gone, or does not stop, is a fault as well.
            if status == 0 and server.ask("/readyz", name=None).status != 200:
                sys.exit("the server serves nothing any more")
            refused = without_success(server) if status == 0 else []
            ended = server.stop()
    if status == 0 and count < options.least:
        sys.exit(f"{count} requests were thrown, not {options.least}")
    if refused:
        sys.exit("never had a success: " + ", ".join(refused))
    sys.exit(status or ended)


if __name__ == "__main__":
    main()
