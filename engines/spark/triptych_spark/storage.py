"""Files at a URI: file://, s3://, hdfs://, gs://, abfss://, through the file systems of pyarrow.

Drivers and workers open them the same way. Credentials are those of the surroundings (an instance's
role, environment, `CLASSPATH` and `libhdfs` of Hadoop): none is an argument.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from pyarrow import fs as arrow

from .failures import Failure

# Requests to object storage mostly wait.
_THREADS = 16


@dataclass(frozen=True)
class Entry:
    """A file below a folder: its path there, with `/`, its size in bytes, when it was last written
    (seconds of UTC)."""

    path: str
    size: int
    modified: int | None


class Storage:
    """A folder at a URI. Objects are small and can be sent to workers; the file system is opened
    where it is used."""

    def __init__(self, uri: str) -> None:
        # Spark's word for S3.
        self.uri = re.sub(r"^s3[an]://", "s3://", uri).rstrip("/")
        if not re.match(r"^[a-z][a-z0-9+.-]*://", self.uri):
            self.uri = Path(uri).absolute().as_uri()
        self._opened: tuple[arrow.FileSystem, str] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"uri": self.uri, "_opened": None}

    def _open(self) -> tuple[arrow.FileSystem, str]:
        if self._opened is None:
            try:
                files, path = arrow.FileSystem.from_uri(self.uri)
            except (OSError, ValueError) as fault:
                raise Failure(
                    f"{self.uri} cannot be opened: {fault}. Check the URI, and this machine's"
                    " credentials and network.",
                    66,
                ) from None
            self._opened = files, path.rstrip("/")
        return self._opened

    @property
    def _has_folders(self) -> bool:
        """Whether folders must be there first; S3 and Google's storage have none."""
        return self.uri.split(":")[0] not in ("s3", "gs")

    def at(self, path: str) -> str:
        """The path of a file, as the file system knows it."""
        return f"{self._open()[1]}/{path}" if path else self._open()[1]

    def below(self, path: str) -> Storage:
        """A folder of this one."""
        one = Storage.__new__(Storage)
        one.uri, one._opened = f"{self.uri}/{path}", None
        if self._opened is not None:
            one._opened = self._opened[0], self.at(path)
        return one

    @property
    def files(self) -> arrow.FileSystem:
        return self._open()[0]

    @contextlib.contextmanager
    def _told(self, path: str, done: str, status: int = 74) -> Iterator[None]:
        """Tells the operator what of this folder cannot be read or written, and why."""
        try:
            yield
        except OSError as fault:
            where = f"{self.uri}/{path}" if path else self.uri
            raise Failure(
                f"{where} cannot be {done}: {fault}. Check the place, its space, and that this"
                " account may use it; then run the same command again.",
                status,
            ) from None

    def holds(self, other: Storage) -> bool:
        """Whether the other folder is this one, or lies in it."""
        return (other._real() + "/").startswith(self._real() + "/")

    def _real(self) -> str:
        return os.path.realpath(self.at("")) if self.uri.startswith("file:") else self.uri

    def list(self, path: str = "") -> list[Entry]:
        """The files below a folder, at any depth, in order of their paths; none where there is no
        such folder."""
        folder = self.at(path)
        chosen = arrow.FileSelector(folder, allow_not_found=True, recursive=True)
        try:
            with self._told("", "listed", 66):
                found = [
                    _entry(info.path[len(folder) :].lstrip("/"), info)
                    for info in self.files.get_file_info(chosen)
                    if info.type == arrow.FileType.File
                ]
        except UnicodeDecodeError as fault:
            name = fault.object.decode(errors="backslashreplace")
            raise Failure(f"{name}: its name is no UTF-8. Rename it, or take it away.", 66) from None
        return sorted(found, key=lambda entry: entry.path)

    def entry(self, path: str) -> Entry | None:
        """A file; None where it is not there."""
        with self._told(path, "read"):
            info = self.files.get_file_info(self.at(path))
        return _entry(path, info) if info.type == arrow.FileType.File else None

    def names(self) -> list[str]:
        """The names of what lies right below this folder, in order; none where it is not there."""
        return sorted(info.base_name for info in self._members())

    def folders(self) -> list[str]:
        """The names of the folders right below this one, in order."""
        found = self._members()
        return sorted(info.base_name for info in found if info.type == arrow.FileType.Directory)

    def _members(self) -> Sequence[arrow.FileInfo]:
        with self._told("", "listed"):
            return self.files.get_file_info(arrow.FileSelector(self.at(""), allow_not_found=True))

    def exists(self, path: str) -> bool:
        with self._told(path, "read"):
            return self.files.get_file_info(self.at(path)).type != arrow.FileType.NotFound

    def read(self, path: str) -> bytes:
        with self._told(path, "read"), self.open(path) as stream:
            return stream.read()

    def open(self, path: str) -> BinaryIO:
        """The bytes of a file as they are, also those of one whose name says gzip."""
        return self.files.open_input_stream(self.at(path), compression=None)

    def create(self, path: str) -> BinaryIO:
        """A new file, of which nothing is kept where it is not closed (object storage) or left as
        it is."""
        target = self.at(path)
        if self._has_folders:
            self.files.create_dir(os.path.dirname(target), recursive=True)
        return self.files.open_output_stream(target, compression=None)

    def write(self, path: str, data: bytes) -> None:
        """Writes a whole file: a reader sees all of it or none."""
        temporary = path + ".tmp"
        with self._told(path, "written", 73):
            with self.create(temporary) as stream:
                stream.write(data)
            self.files.move(self.at(temporary), self.at(path))

    def remove(self, path: str) -> None:
        """Removes a folder and all in it; nothing where there is none."""
        if self.exists(path):
            with self._told(path, "removed", 73):
                self.files.delete_dir(self.at(path))

    def move(self, moves: list[tuple[str, str]]) -> None:
        """Renames files, in any order."""
        with ThreadPoolExecutor(_THREADS) as pool:
            for _ in pool.map(lambda move: self.rename(*move), moves):
                pass

    def rename(self, source: str, target: str) -> None:
        """Renames a file, into a folder that need not be there."""
        with self._told(target, "written", 73):
            if self._has_folders:
                self.files.create_dir(os.path.dirname(self.at(target)), recursive=True)
            self.files.move(self.at(source), self.at(target))

    def fetch(self, copies: list[tuple[str, Path]]) -> None:
        """Copies files to this machine."""
        with ThreadPoolExecutor(_THREADS) as pool:
            for _ in pool.map(lambda copy: copy[1].write_bytes(self.read(copy[0])), copies):
                pass


def _entry(path: str, info: arrow.FileInfo) -> Entry:
    return Entry(path, info.size, info.mtime_ns and info.mtime_ns // 10**9)


def narrow_modes() -> None:
    """Lets this process write files for its account and its group alone, as those of a mart are."""
    os.umask(os.umask(0o077) | 0o027)


def chunks(stream: BinaryIO, size: int = 1 << 20) -> Iterator[bytes]:
    """The bytes of a stream, in pieces."""
    while piece := stream.read(size):
        yield piece
