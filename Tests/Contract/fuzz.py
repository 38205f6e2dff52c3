"""Throws requests at the server that its contract suggests, valid and not, and reads every answer.

    python fuzz.py MART [--examples N] [--least N] [--seed N]

Ends with 1 where schemathesis found a fault, or threw fewer requests than the least. Examples are how many requests are thought
up per operation at most.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading

from served import Server, account

# A token lives for ten minutes.
RENEWAL_SECONDS = 240
HERE = os.path.dirname(os.path.abspath(__file__))
DOCUMENT = os.path.join(HERE, "../../Sources/TripServer/Contract/health-dashboard.yaml")


def renew(server, path):
    """Puts a new token into its file, whole."""
    with open(path + ".new", "w") as file:
        file.write(server.sign_in("fuzzer")["access_token"])
    os.replace(path + ".new", path)


def keep_renewing(server, path, ends):
    while not ends.wait(RENEWAL_SECONDS):
        renew(server, path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mart")
    parser.add_argument("--examples", type=int, default=100)
    parser.add_argument("--least", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    # Who may ask everything; nothing carries out the runs that are asked for.
    account(options.mart, "fuzzer", "--role", "analyst")
    # It keeps what it found in the folder it is started in.
    with Server(options.mart) as server, tempfile.TemporaryDirectory() as folder:
        command = [
            os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "schemathesis"),
            "--config-file", os.path.join(HERE, "schemathesis.toml"),
            "run", DOCUMENT,
            "--url", f"http://127.0.0.1:{server.port}",
            "--max-examples", str(options.examples),
            "--seed", str(options.seed),
            "--checks", "all",
            "--workers", "2",
            "--no-color",
        ]
        path, ends = os.path.join(folder, "token"), threading.Event()
        renew(server, path)
        threading.Thread(target=keep_renewing, args=(server, path, ends)).start()
        environment = {**os.environ, "SCHEMATHESIS_HOOKS": "fuzz_auth", "PYTHONPATH": HERE, "FUZZ_TOKEN": path}
        ending = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, env=environment)
        count = 0
        for line in ending.stdout:
            print(line, end="", flush=True)
            found = re.search(r"(\d[\d,]*) generated", line)
            count = int(found[1].replace(",", "")) if found else count
        ending.wait()
        ends.set()
        # A server that is gone, or does not stop, is a fault as well.
        if ending.returncode == 0 and server.ask("/readyz", name=None).status != 200:
            sys.exit("the server serves nothing any more")
        status = server.stop()
    if ending.returncode == 0 and count < options.least:
        sys.exit(f"{count} requests were thrown, not {options.least}")
    sys.exit(ending.returncode or status)


if __name__ == "__main__":
    main()
