"""Throws requests at a rate, each when it is due, whether or not those before are answered.

Reads one line of JSON from standard input, says when its connections are open, and prints JSON: for each request when it
was due, in seconds from the first, how many milliseconds later its answer was whole, and the status. The time that counts
is that of whoever wanted to ask then: what a request waits for a free connection, or for this program to get to it, is in
it. Requests go out one by one on an even beat, each over the connection that has been free for longest. A program of its
own, so that nothing else its caller does keeps it from a request that is due.
"""

from __future__ import annotations

import gc
import json
import select
import socket
import ssl
import sys
import time
from collections import deque
from urllib.parse import urlsplit

# Nobody waits longer for an answer; what is open then is a fault.
PATIENCE_SECONDS = 60
NO_ANSWER = "none"
# The server is the caller's own, with a certificate it made itself.
TRUSTING = ssl.create_default_context()
TRUSTING.check_hostname = False
TRUSTING.verify_mode = ssl.CERT_NONE


class Connection:
    """A connection over TLS, and the one request it waits for."""

    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)
        self.due = 0.0
        self._answer = bytearray()
        self._open()

    def _open(self) -> None:
        bare = socket.create_connection(self._address, timeout=PATIENCE_SECONDS)
        bare.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = TRUSTING.wrap_socket(bare)
        self._socket.setblocking(False)

    @property
    def descriptor(self) -> int:
        return self._socket.fileno()

    def send(self, request: bytes, due: float) -> None:
        """Sends a request; where that fails, reading fails as well."""
        self.due = due
        self._answer.clear()
        if self.descriptor < 0:
            self._open()
        self._socket.send(request)

    def read(self) -> str | None:
        """Takes in what has come; the status, once the answer is whole."""
        while True:
            try:
                part = self._socket.recv(1 << 16)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return self._status()
            if not part:
                raise ConnectionError("closed before the answer was whole")
            self._answer += part

    def _status(self) -> str | None:
        end = self._answer.find(b"\r\n\r\n")
        if end < 0:
            return None
        lines = bytes(self._answer[:end]).decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(":", 1) for line in lines[1:])
        if "content-length" not in fields:
            raise SystemExit("an answer has no Content-Length, by which its end is known")
        if len(self._answer) < end + 4 + int(fields["content-length"]):
            return None
        if fields.get("connection", "").strip() == "close":
            self.close()
        return lines[0].split(" ")[1]

    def close(self) -> None:
        """Closes it; the next request opens another."""
        self._socket.close()


class Thrower:
    """Requests on an even beat, and what came of them."""

    def __init__(self, order: dict) -> None:
        first = urlsplit(order["uris"][0])
        fields = "".join(f"{name}: {value}\r\n" for name, value in order["headers"].items())
        self._requests = [
            (f"GET {uri[len(first.scheme) + 3 + len(first.netloc):]} HTTP/1.1\r\n"
             f"Host: {first.netloc}\r\n{fields}\r\n").encode("latin-1")
            for uri in order["uris"]
        ]
        self._rate: float = order["rate"]
        # None: until standard input ends.
        self._count: int | None = order["requests"]
        self._free = deque(
            Connection(first.hostname, first.port) for _ in range(order["connections"]))
        self._busy: dict[int, Connection] = {}
        self._sent = 0
        self._found: list[tuple[float, float, str]] = []

    def run(self) -> list[tuple[float, float, str]]:
        """Throws all of them and waits for the answers."""
        self._begun = time.perf_counter()
        while self._busy or self._sent != self._count:
            self._send_what_is_due()
            watched = [*self._busy, *([sys.stdin.fileno()] if self._count is None else [])]
            pause = self._pause()
            ready = select.select(watched, [], [], pause)[0]
            if not ready and pause == PATIENCE_SECONDS:
                for descriptor in list(self._busy):
                    self._end(descriptor, NO_ANSWER)
            for descriptor in ready:
                if descriptor in self._busy:
                    self._read(descriptor)
                else:
                    # What was due until now is still asked.
                    self._count = max(self._sent, int(self._elapsed * self._rate) + 1)
        return self._found

    @property
    def _elapsed(self) -> float:
        return time.perf_counter() - self._begun

    def _due(self, number: int) -> float:
        """When a request is due, in seconds from the first."""
        return number / self._rate

    def _send_what_is_due(self) -> None:
        while self._free and self._sent != self._count and self._due(self._sent) <= self._elapsed:
            one = self._free.popleft()
            due = self._due(self._sent)
            request = self._requests[self._sent % len(self._requests)]
            self._sent += 1
            try:
                one.send(request, due)
                self._busy[one.descriptor] = one
            except OSError:
                self._fail(one)

    def _pause(self) -> float:
        """How long nothing has to be sent, unless an answer comes."""
        if not self._free or self._sent == self._count:
            return PATIENCE_SECONDS
        return max(0.0, self._due(self._sent) - self._elapsed)

    def _read(self, descriptor: int) -> None:
        try:
            status = self._busy[descriptor].read()
        except OSError:
            self._end(descriptor, NO_ANSWER)
            return
        if status is not None:
            self._end(descriptor, status)

    def _end(self, descriptor: int, status: str) -> None:
        one = self._busy.pop(descriptor)
        if status == NO_ANSWER:
            self._fail(one)
            return
        self._found.append((one.due, (self._elapsed - one.due) * 1000, status))
        self._free.append(one)

    def _fail(self, one: Connection) -> None:
        self._found.append((one.due, (self._elapsed - one.due) * 1000, NO_ANSWER))
        one.close()
        self._free.append(one)


def main() -> None:
    thrower = Thrower(json.loads(sys.stdin.readline()))
    # A collection would keep requests waiting; all there is to collect is gone in a minute.
    gc.disable()
    print("connected", flush=True)
    json.dump(thrower.run(), sys.stdout)


if __name__ == "__main__":
    main()
