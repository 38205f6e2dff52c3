"""A server that is told to stop, or killed, again and again under load.

    python test_restarts.py MART [--cycles N] [--limits]

The cycles are over TLS; what is left unread is asked over plain HTTP, since nobody greets over TLS whom the server does not hear.

What is sent before the server was told to stop is answered whole, however long that takes, and it ends with status 0; also where it had
read nothing of it yet. With --limits, on a machine that does nothing else, so is what is sent up to 100 ms later, and it must end within
ten seconds and serve within one.
"""

import argparse
import http.client
import sys
import tempfile
import threading
import time
import urllib.parse

from served import Server, certify, sign_in_fields

CLIENTS = 8
# How long after the server was told to stop it still answers what is sent: of the 250 ms that it goes on, so that the rest is enough to read it.
GRACE = 0.1
# What never comes is a fault of the server, and no reason to wait for ever.
PATIENCE = 60
READY_LIMIT = 1.0
STOP_LIMIT = 10.0


class Client(threading.Thread):
    """Asks one request after the other, on one connection until it is closed, until the server is gone."""

    def __init__(self, server):
        # Nobody waits for one whose server never answers.
        super().__init__(daemon=True)
        self.server, self.headers = server, {"Authorization": "Bearer " + server.token()}
        self.begun_at, self.ended_at, self.fault, self.count = float("inf"), None, None, 0

    def run(self):
        connection = self.server.connection()
        response = None
        try:
            while True:
                response = None
                connection.request("GET", "/kpi", headers=self.headers)
                self.begun_at = time.monotonic()
                response = connection.getresponse()
                body = response.read()
                if response.status != 200 or len(body) != int(response.getheader("Content-Length")):
                    self.fault = f"status {response.status} with {len(body)} bytes"
                    return
                self.count, self.begun_at = self.count + 1, float("inf")
        except (OSError, http.client.HTTPException) as error:
            self.ended_at = time.monotonic()
            if response is not None:
                self.fault = f"an answer was cut short: {error!r}"
        finally:
            connection.close()


class LongAnswer:
    """A sign-in under way, whose hash takes a while."""

    def __init__(self, server):
        self._connection = server.connection()
        body = urllib.parse.urlencode(sign_in_fields("viewer", "v" * 43))
        self._connection.request("POST", "/authorize", body, {"Content-Type": "application/x-www-form-urlencoded"})

    def fault(self):
        """What is wrong with its answer, once the server has ended; None where it is whole."""
        try:
            response = self._connection.getresponse()
            body = response.read()
            is_whole = response.status == 303 and len(body) == int(response.getheader("Content-Length", 0))
            return None if is_whole else f"a sign-in under way got {response.status}"
        except (OSError, http.client.HTTPException) as error:
            return f"a sign-in under way was not answered: {error!r}"
        finally:
            self._connection.close()


def ready(mart, certificate=None):
    """A server, and the seconds until it said it was ready."""
    server = Server(mart, certificate=certificate)
    begin = time.monotonic()
    server.__enter__()
    until(lambda: server.ask("/readyz", name=None).status == 200, lambda: "it is not ready")
    return server, time.monotonic() - begin


def answers(connections, last=False):
    """What is wrong with the answers to what was asked on some connections, each by its name; where they must be the last, also that
    they do not say so."""
    for name, one in connections.items():
        try:
            response = one.getresponse()
            response.read()
            if response.status != 200 or last and response.getheader("Connection") != "close":
                yield f"{name}: status {response.status}, Connection: {response.getheader('Connection')}"
        except (OSError, http.client.HTTPException) as error:
            yield f"{name}: {error!r}"
        finally:
            one.close()


def unread(mart):
    """What is wrong where the server is told to stop with one request unread on a connection it has and one on another that waits."""
    server, _ = ready(mart)
    kept, new = server.connection(), server.connection()
    kept.request("GET", "/healthz")
    kept.getresponse().read()
    server.pause()
    for one in [kept, new]:
        one.request("GET", "/healthz")
    server.tell_to_stop()
    server.pause(goes_on=True)
    # Whether it has heard of the end when it answers is chance.
    faults = list(answers({"unread on a connection it had": kept, "unread on one that waited": new}))
    return faults + ([] if server.stop() == 0 else ["it did not end well"])


def afterwards(mart):
    """What is wrong where it is asked a moment after it was told to stop, on a connection it has and on a new one; None where it
    was asked too late."""
    server, _ = ready(mart)
    kept = server.connection()
    kept.request("GET", "/healthz")
    kept.getresponse().read()
    server.tell_to_stop()
    told_at = time.monotonic()
    until(lambda: time.monotonic() - told_at > GRACE, lambda: "time stands still", pause=0.01)
    faults, new = [], server.connection()
    try:
        for one in [kept, new]:
            one.request("GET", "/healthz")
    except OSError as error:
        faults = [f"afterwards: {error!r}"]
    was_in_time = time.monotonic() - told_at < 1.5 * GRACE
    faults = faults or list(answers({"afterwards on a connection it had": kept, "afterwards on a new one": new}, last=True))
    if server.stop() != 0:
        return [*faults, "it did not end well"]
    return faults if was_in_time else None


def until(condition, what, pause=0):
    """Waits for something; fails, saying what, where it does not come."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"waited {PATIENCE} s for the server in vain: {what()}")
        time.sleep(pause)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mart")
    parser.add_argument("--cycles", type=int, default=100)
    parser.add_argument("--limits", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(restarts(options, certify(folder)))


def restarts(options, certificate):
    """The status to end with: 1 where something was wrong, which it says."""
    faults, starts, stops, count = unread(options.mart), [], [], 0
    if options.limits:
        tries = (afterwards(options.mart) for _ in range(20))
        faults += next((found for found in tries if found is not None), ["this machine is too busy to ask in time"])
    for cycle in range(options.cycles):
        server, duration = ready(options.mart, certificate)
        starts.append(duration)
        clients = [Client(server) for _ in range(CLIENTS)]
        for client in clients:
            client.start()
        least = 3 + cycle % 7
        until(
            lambda: min(client.count for client in clients) >= least,
            lambda: f"cycle {cycle}: {[client.count for client in clients]} answers, not {least} each",
            pause=0.001,
        )
        is_killed = cycle % 4 == 3
        long_answer = LongAnswer(server) if cycle % 4 == 0 else None
        told_at = time.monotonic()
        if is_killed:
            server.kill()
        else:
            status = server.stop()
            stops.append(time.monotonic() - told_at)
            if status != 0:
                faults.append(f"cycle {cycle}: ended with {status}")
        fault = long_answer and long_answer.fault()
        if fault:
            faults.append(f"cycle {cycle}: {fault}")
        for client in clients:
            client.join(PATIENCE)
            if client.is_alive():
                sys.exit(f"cycle {cycle}: a client waits for an answer of a server that has ended")
            count += client.count
            if is_killed:
                continue
            if client.fault:
                faults.append(f"cycle {cycle}: {client.fault}")
            if client.begun_at < told_at + (GRACE if options.limits else 0):
                faults.append(
                    f"cycle {cycle}: what was asked {client.begun_at - told_at:.3f} s after it was told to stop was not answered")
    print(
        f"{options.cycles} cycles, {count} answers: {len(faults)} faults, "
        f"ready within {max(starts):.2f} s, stopped within {max(stops):.2f} s"
    )
    if options.limits and max(starts) > READY_LIMIT:
        faults.append(f"a start took {max(starts):.2f} s")
    if options.limits and max(stops) > STOP_LIMIT:
        faults.append(f"an end took {max(stops):.2f} s")
    for fault in faults[:20]:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    main()
