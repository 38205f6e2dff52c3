"""The program `triptych` as a child process: bytes in, frames out."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import threading
from collections.abc import Iterable, Iterator

from .failures import Failure
from .frames import Frame, FrameError, StreamEnded, read_frames

# What is kept of what a child says; its last words say what went wrong.
_SAID_SIZE = 1 << 16
_PIPE_SIZE = 1 << 20


class Secret:
    """The content of a key file. It shows itself nowhere, and lies in memory alone."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def reveal(self) -> bytes:
        return self._content

    def __repr__(self) -> str:
        return "<key>"


@contextlib.contextmanager
def in_memory(name: str, content: bytes) -> Iterator[int]:
    """A file that has no name on any disk, for its owner alone; gives its descriptor.

    A child that inherits the descriptor opens it as `/proc/self/fd/N`.
    """
    descriptor = os.memfd_create(name, 0)
    try:
        os.fchmod(descriptor, 0o600)
        with os.fdopen(os.dup(descriptor), "wb") as file:
            file.write(content)
        yield descriptor
    finally:
        os.close(descriptor)


class Program:
    """`triptych` with a plan that lies in memory."""

    def __init__(self, path: str, plan: bytes) -> None:
        self.path = path
        self._plan = plan

    def frames(
        self, words: list[str], files: dict[str, bytes], source: Iterable[bytes], what: str
    ) -> Iterator[Frame]:
        """Runs `triptych WORDS --plan … -`, feeds it the source, gives the frames that it writes.

        `files` are contents by the option that names them; they lie in memory too. `what` names the
        work in faults. Raises Failure where the program ends with another status than 0, where its
        frames are malformed, and where the source fails: what was given out by then must not be
        used.
        """
        given = {"--plan": self._plan, **files}
        command = [self.path, *words]
        with contextlib.ExitStack() as memory:
            descriptors = []
            for option, content in given.items():
                descriptor = memory.enter_context(in_memory(option.lstrip("-"), content))
                command += [option, f"/proc/self/fd/{descriptor}"]
                descriptors.append(descriptor)
            try:
                child = subprocess.Popen(
                    [*command, "-"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    pass_fds=descriptors,
                    bufsize=_PIPE_SIZE,
                )
            except OSError as fault:
                raise Failure(
                    f"{self.path} cannot be started on {socket.gethostname()}: {fault.strerror}."
                    " Install triptych on every worker and give its path with --triptych, or let it"
                    " travel with the job: --ship-binary.",
                    69,
                ) from None
        running = _Running(child, source)
        try:
            yield from running.frames(what)
        finally:
            running.stop()


class _Running:
    """A child that was started: a thread feeds it, another one listens to what it says."""

    def __init__(self, child: subprocess.Popen[bytes], source: Iterable[bytes]) -> None:
        self._child = child
        self._source = source
        self._fault: Exception | None = None
        self._said = bytearray()
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._feed, self._listen)
        ]
        for thread in self._threads:
            thread.start()

    def _feed(self) -> None:
        stdin = self._child.stdin
        assert stdin is not None
        try:
            for piece in self._source:
                stdin.write(piece)
            stdin.close()
        except BrokenPipeError:
            # The child ended first. Its status says whether that was right.
            with contextlib.suppress(BrokenPipeError):
                stdin.close()
        except Exception as fault:
            # An input that breaks off must not look like one that ends.
            self._fault = fault
            self._child.kill()
            with contextlib.suppress(BrokenPipeError):
                stdin.close()

    def _listen(self) -> None:
        stderr = self._child.stderr
        assert stderr is not None
        while piece := stderr.read1(_SAID_SIZE):
            self._said += piece
            del self._said[:-_SAID_SIZE]

    def frames(self, what: str) -> Iterator[Frame]:
        stdout = self._child.stdout
        assert stdout is not None
        broken: FrameError | None = None
        try:
            yield from read_frames(stdout)
        except StreamEnded as fault:
            # Its status says more.
            broken = fault
        except FrameError as fault:
            self._child.kill()
            raise Failure(f"{what}: triptych wrote a malformed stream: {fault}") from None
        status = self._child.wait()
        for thread in self._threads:
            thread.join()
        said = self._said.decode("utf-8", "replace").strip()
        if self._fault is not None:
            if isinstance(self._fault, Failure):
                raise self._fault
            raise Failure(f"{what}: reading failed: {self._fault}", 74)
        if status != 0:
            how = (
                f"was stopped by signal {-status}" if status < 0 else f"ended with status {status}"
            )
            raise Failure(
                f"{what}: triptych {how}: {said or 'it said nothing'}", status if status > 0 else 70
            )
        if broken is not None:
            raise Failure(f"{what}: what triptych wrote is not whole: {broken}")

    def stop(self) -> None:
        """Ends the child where it still runs, and waits for it."""
        if self._child.poll() is None:
            self._child.kill()
        self._child.wait()
        for thread in self._threads:
            # A source that still waits for its next bytes ends with the task.
            thread.join(timeout=10)
        if not any(thread.is_alive() for thread in self._threads):
            for pipe in (self._child.stdout, self._child.stderr):
                if pipe is not None:
                    pipe.close()
