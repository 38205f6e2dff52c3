"""Throws requests of which each comes over a connection of its own, and is given up where its answer does not come in time.

Reads one line of JSON from standard input, and prints JSON: for each request when it was due, in seconds from the first, how
many milliseconds later it ended, and its status: `late` where it was given up, `closed` where the connection was. With a rate
they come on an even beat, however many wait; without one so many are on their way at any time, each followed by the next.
Ends with 1 where it could not keep up with its beat, or had no connection to ask by.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import heapq
import itertools
import json
import os
import select
import socket
import ssl
import sys
import time
from urllib.parse import urlsplit

LATE, CLOSED = "late", "closed"
# By how much whoever throws may be late itself.
LAG_SECONDS = 0.3


class Newcomer:
    """A connection that is opened, asked once and left."""

    def __init__(self, address: tuple[str, int], context: ssl.SSLContext, request: bytes, due: float) -> None:
        self.due, self._request, self._answer = due, request, bytearray()
        self._received, self._sent = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._secure = context.wrap_bio(self._received, self._sent)
        self._is_greeted = False
        self._socket = socket.socket()
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        fault = self._socket.connect_ex(address)
        if fault not in (0, errno.EINPROGRESS):
            raise SystemExit(f"no connection can be opened: {os.strerror(fault)}")
        self.descriptor = self._socket.fileno()

    def go_on(self) -> str | None:
        """Does what can be done now: the status, once the answer is whole.

        Raises OSError where the connection ends before that.
        """
        is_closed = False
        # All there is: nobody says once more that there is something.
        with contextlib.suppress(BlockingIOError):
            while part := self._socket.recv(1 << 16):
                self._received.write(part)
            is_closed = True
        with contextlib.suppress(ssl.SSLWantReadError, ssl.SSLZeroReturnError):
            self._take_in()
        if self._sent.pending:
            # A few hundred bytes into an empty buffer, which takes them whole.
            self._socket.sendall(self._sent.read())
        status = self._status()
        if status is None and is_closed:
            raise ConnectionError("closed before the answer was whole")
        return status

    def _take_in(self) -> None:
        if not self._is_greeted:
            self._secure.do_handshake()
            self._is_greeted = True
            self._secure.write(self._request)
        while True:
            self._answer += self._secure.read(1 << 16)

    def _status(self) -> str | None:
        head, separator, body = bytes(self._answer).partition(b"\r\n\r\n")
        if not separator:
            return None
        lines = head.decode("latin-1").lower().split("\r\n")
        fields = dict(line.split(":", 1) for line in lines[1:])
        return lines[0].split(" ")[1] if len(body) >= int(fields["content-length"]) else None

    def leave(self) -> None:
        self._socket.close()


class Thrower:
    """Newcomers on an even beat, or some at a time, and what came of them."""

    def __init__(self, order: dict) -> None:
        first = urlsplit(order["uris"][0])
        fields = "".join(f"{name}: {value}\r\n" for name, value in order["headers"].items())
        self._requests = itertools.cycle(
            f"GET {uri[len(first.scheme) + 3 + len(first.netloc):]} HTTP/1.1\r\nHost: {first.netloc}\r\n{fields}\r\n".encode(
                "latin-1")
            for uri in order["uris"]
        )
        self._address = (first.hostname, first.port)
        self._context = ssl.create_default_context()
        # The server is the caller's own, with a certificate it made itself.
        self._context.check_hostname = False
        self._context.verify_mode = ssl.CERT_NONE
        self._rate: float | None = order["rate"]
        self._at_once: int = order["at_once"]
        self._seconds: float = order["seconds"]
        self._patience: float = order["patience"]
        self._ready = select.epoll()
        self._open: dict[int, Newcomer] = {}
        # When each is given up.
        self._ends: list[tuple[float, int, int]] = []
        self._count = 0
        self._found: list[tuple[float, float, str]] = []

    def run(self) -> list[tuple[float, float, str]]:
        """Throws all of them and waits for the last."""
        self._begun = time.perf_counter()
        while True:
            self._send_what_is_due()
            self._give_up()
            if self._is_over and not self._open:
                return self._found
            for descriptor, _ in self._ready.poll(self._pause()):
                if descriptor in self._open:
                    self._go_on(self._open[descriptor])

    @property
    def _elapsed(self) -> float:
        return time.perf_counter() - self._begun

    @property
    def _is_over(self) -> bool:
        """Whether nobody else comes."""
        return self._count >= self._rate * self._seconds if self._rate else self._elapsed >= self._seconds

    def _next_due(self) -> float | None:
        """When the next one comes; None where somebody has to end first, or nobody comes."""
        if self._is_over:
            return None
        if self._rate:
            return self._count / self._rate
        return self._elapsed if len(self._open) < self._at_once else None

    def _send_what_is_due(self) -> None:
        while (due := self._next_due()) is not None and due <= self._elapsed:
            self._count += 1
            if self._elapsed - due > LAG_SECONDS:
                raise SystemExit(f"thrown {self._elapsed - due:.1f} s late: this machine cannot throw so many")
            one = Newcomer(self._address, self._context, next(self._requests), due)
            self._open[one.descriptor] = one
            self._ready.register(one.descriptor, select.EPOLLIN | select.EPOLLOUT | select.EPOLLET)
            heapq.heappush(self._ends, (due + self._patience, self._count, one.descriptor))

    def _pause(self) -> float:
        """How long nothing has to be done, unless something comes."""
        times = [due for due in [self._next_due(), self._ends[0][0] if self._ends else None] if due is not None]
        return max(0.0, min(times, default=self._patience) - self._elapsed)

    def _give_up(self) -> None:
        while self._ends and self._ends[0][0] <= self._elapsed:
            end, _, descriptor = heapq.heappop(self._ends)
            one = self._open.get(descriptor)
            # Another one may have its descriptor by now.
            if one is not None and one.due + self._patience == end:
                self._end(one, LATE)

    def _go_on(self, one: Newcomer) -> None:
        try:
            status = one.go_on()
        except OSError:
            status = CLOSED
        if status is not None:
            self._end(one, status)

    def _end(self, one: Newcomer, status: str) -> None:
        del self._open[one.descriptor]
        self._found.append((one.due, (self._elapsed - one.due) * 1000, status))
        with contextlib.suppress(OSError):
            one.leave()


def main() -> None:
    thrower = Thrower(json.loads(sys.stdin.readline()))
    # A collection would keep them waiting; all there is to collect is gone in a minute.
    gc.disable()
    json.dump(thrower.run(), sys.stdout)


if __name__ == "__main__":
    main()
