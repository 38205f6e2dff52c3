#!/usr/bin/env python3
"""The package by itself, without Spark: frames, the child process, the shuffle, what is
accepted."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import random
import sys
import tempfile
import types
import unittest
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "engines" / "spark"))

import numpy as np  # noqa: E402
import pyarrow as pa  # noqa: E402
import pyarrow.parquet as parquet  # noqa: E402
from triptych_spark import (  # noqa: E402
    accepted,
    cluster,
    committed,
    failures,
    frames,
    options,
    program,
    session,
    shuffle,
    staging,
    tasks,
)
from triptych_spark.storage import Storage  # noqa: E402

FILES = {"--key-file": b"the key"}
SEED = int(os.environ.get("SEED", "1"))


def some_batch(source: random.Random, rows: int) -> pa.RecordBatch:
    """A batch of every type, with nulls in every other column."""
    makers = {
        "bool": lambda: source.random() < 0.5,
        "int32": lambda: source.randint(-(2**31), 2**31 - 1),
        "int64": lambda: source.randint(-(2**63), 2**63 - 1),
        "float64": source.random,
        "utf8": lambda: "".join(source.choices("aé日\0", k=source.randint(0, 9))),
        "binary": lambda: source.randbytes(source.randint(0, 9)),
        "date32": lambda: source.randint(-(10**5), 10**5),
        "timestamp_s": lambda: source.randint(-(10**9), 10**10),
    }
    arrays, names = [], []
    for name, kind in frames.TYPES.items():
        for has_nulls in (False, True):
            values = [
                None if has_nulls and source.random() < 0.3 else makers[name]() for _ in range(rows)
            ]
            arrays.append(pa.array(values, kind))
            names.append(f"{name}_{has_nulls}")
    return pa.RecordBatch.from_arrays(arrays, names=names)


def written(*parts: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(b"".join(parts)))


class FrameTests(unittest.TestCase):
    def test_columns_of_every_type_come_back_as_they_were(self) -> None:
        source = random.Random(SEED)
        for rows in (0, 1, 7, 8, 9, 300):
            batch = some_batch(source, rows)
            stream = written(frames.column_frame("versions", batch), frames.end_frame(rows))
            found = [frame.batch for frame in frames.read_frames(stream)]
            self.assertEqual([one.to_pydict() for one in found], [batch.to_pydict()])
            self.assertEqual(found[0].schema, batch.schema)

    def test_a_part_of_a_batch_is_as_one_of_its_own(self) -> None:
        batch = some_batch(random.Random(SEED), 70)
        for begin, rows in itertools.product((0, 1, 7, 8, 9, 40), (0, 1, 7, 8, 9, 30)):
            part = batch.slice(begin, rows)
            stream = written(frames.column_frame("versions", part), frames.end_frame(rows))
            found = [frame.batch for frame in frames.read_frames(stream)]
            self.assertEqual([one.to_pydict() for one in found], [part.to_pydict()])

    def test_texts_stand_between_columns(self) -> None:
        batch = some_batch(random.Random(SEED), 3)
        stream = written(
            frames.text_frame("rejects", b"{}\n"),
            frames.column_frame("trips", batch),
            frames.text_frame("report", b""),
            frames.end_frame(3),
        )
        found = [(frame.kind, frame.text) for frame in frames.read_frames(stream)]
        self.assertEqual(found, [("rejects", b"{}\n"), ("trips", None), ("report", b"")])

    def test_a_stream_cut_anywhere_is_known(self) -> None:
        batch = some_batch(random.Random(SEED), 5)
        whole = (
            frames.column_frame("versions", batch)
            + frames.text_frame("report", b"abc")
            + frames.end_frame(5)
        )
        for size in range(len(whole)):
            with self.assertRaises(frames.StreamEnded, msg=str(size)):
                list(frames.read_frames(written(whole[:size])))

    def test_what_does_not_fit_is_refused(self) -> None:
        data = {
            "frame": "v",
            "rows": 2,
            "columns": [{"name": "a", "type": "int32", "sizes": [0, 0, 8]}],
        }
        text = {
            "frame": "v",
            "rows": 2,
            "columns": [{"name": "a", "type": "utf8", "sizes": [0, 12, 3]}],
        }

        def changed(header: dict, **new: object) -> bytes:
            one = json.loads(json.dumps(header))
            one["columns"][0].update(new)
            return json.dumps(one).encode() + b"\n" + bytes(64)

        offsets = b"".join(number.to_bytes(4, "little") for number in (0, 2, 9))
        cases = {
            "sizes of data": changed(data, sizes=[0, 0, 7]),
            "offsets of fixed width": changed(data, sizes=[0, 4, 8]),
            "validity": changed(data, sizes=[2, 0, 8]),
            "type": changed(data, type="int31"),
            "two sizes": changed(data, sizes=[0, 8]),
            "too large": changed(text, sizes=[0, 12, 1 << 31]),
            "below zero": changed(text, sizes=[0, 12, -1]),
            "offsets": changed(text, sizes=[0, 8, 3]),
            "offsets beyond": json.dumps(text).encode() + b"\n" + offsets + b"abc",
            "no JSON": b"versions\n",
            "no object": b"[]\n",
            "no name": b"{}\n",
            "neither": b'{"frame": "v"}\n',
            "rows": b'{"frame": "v", "rows": -1, "columns": []}\n',
            "count": frames.end_frame(1),
            "behind": frames.end_frame(0) + b"x",
        }
        for name, content in cases.items():
            with self.assertRaises(frames.FrameError, msg=name) as raised:
                list(frames.read_frames(written(content)))
            self.assertNotIsInstance(raised.exception, frames.StreamEnded, msg=name)


class ProgramTests(unittest.TestCase):
    """A child that is a shell script: what it does, and what is said of it."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def program(self, script: str) -> program.Program:
        path = self.folder / "triptych"
        path.write_text("#!/bin/bash\n" + script)
        path.chmod(0o755)
        return program.Program(str(path), b"the plan")

    def fails(self, script: str, source: object = (b"x",)) -> failures.Failure:
        with self.assertRaises(failures.Failure) as raised:
            list(self.program(script).frames(["map"], FILES, source, "file a.csv"))  # type: ignore[arg-type]
        return raised.exception

    def test_plan_and_key_are_files_in_memory_for_their_owner_alone(self) -> None:
        script = """
            said="$1 $2 $4 $6 $(cat $3) $(cat $5) $(stat -L -c %a $3 $5 | tr '\\n' ' ')$(readlink $5 | cut -c1-7) $(cat)"
            printf '{"frame":"report","size":%d}\\n%s{"frame":"end","rows":0}\\n' ${#said} "$said" """
        found = list(self.program(script).frames(["map"], FILES, [b"by", b"tes"], "file"))
        self.assertEqual(
            found[0].text, b"map --plan --key-file - the plan the key 600 600 /memfd: bytes"
        )

    def test_the_status_and_the_last_words_of_a_child_come_along(self) -> None:
        fault = self.fails("cat >/dev/null; echo 'the plan was changed' >&2; exit 65")
        self.assertEqual(
            (fault.status, "ended with status 65: the plan was changed" in fault.text), (65, True)
        )
        self.assertIn("signal 9", self.fails("kill -9 $$").text)

    def test_a_stream_that_looks_whole_counts_for_nothing_with_another_status(self) -> None:
        self.assertEqual(
            self.fails('cat >/dev/null; echo \'{"frame":"end","rows":0}\'; exit 3').status, 3
        )

    def test_a_child_that_ends_early_or_writes_nonsense_is_known(self) -> None:
        self.assertIn("not whole", self.fails("exit 0").text)
        self.assertIn("malformed", self.fails("echo nonsense; exec cat /dev/zero").text)

    def test_a_child_that_does_not_read_its_input_is_no_fault(self) -> None:
        script = 'exec <&-; echo \'{"frame":"end","rows":0}\''
        self.assertEqual(
            list(self.program(script).frames(["map"], FILES, [bytes(1 << 20)] * 8, "file")), []
        )

    def test_an_input_that_breaks_off_does_not_look_like_one_that_ends(self) -> None:
        def breaking():
            yield b"half"
            raise OSError("the connection was reset")

        fault = self.fails('cat >/dev/null; echo \'{"frame":"end","rows":0}\'', breaking())
        self.assertIn("the connection was reset", fault.text)

    def test_a_reader_that_stops_ends_the_child(self) -> None:
        marker = self.folder / "pid"
        script = f'echo $$ >{marker}; echo \'{{"frame":"report","size":0}}\'; exec cat >/dev/null'
        source = iter(lambda: b"x" * 4096, b"")
        running = self.program(script).frames(["map"], FILES, source, "file")
        next(running)
        running.close()
        with self.assertRaises(ProcessLookupError):
            os.kill(int(marker.read_text()), 0)

    def test_a_program_that_is_not_there_is_named_with_what_to_do(self) -> None:
        with self.assertRaises(failures.Failure) as raised:
            list(program.Program("/no/triptych", b"").frames(["map"], FILES, [], "file"))
        self.assertIn("--ship-binary", raised.exception.text)

    def test_a_key_shows_itself_nowhere(self) -> None:
        self.assertNotIn("hidden", f"{program.Secret(b'hidden')!r} {program.Secret(b'hidden')}")

    def test_a_failure_is_found_in_the_text_of_another_error(self) -> None:
        try:
            raise failures.Failure('file "a.csv": é {1}', 65)
        except failures.Failure as fault:
            found = failures.failure_in(f"Traceback …\n  x.Failure: {fault}\n at java")
        self.assertEqual((found.text, found.status), ('file "a.csv": é {1}', 65))
        self.assertIsNone(failures.failure_in("java.io.IOException"))


class ShuffleTests(unittest.TestCase):
    def test_each_part_has_a_key_of_its_own(self) -> None:
        for parts in (1, 2, 7, 200):
            keys = shuffle.part_keys(parts)
            self.assertEqual(len(set(keys)), parts)

    def test_the_hash_of_an_integer_is_that_of_spark(self) -> None:
        # SELECT hash(0), hash(1), hash(42), hash(2147483647) in Spark 4.0.5.
        found = [shuffle._murmur3(value) for value in (0, 1, 42, 2**31 - 1)]
        self.assertEqual(found, [933211791, -559580957, 29417773, 133916647])

    def test_every_row_goes_to_the_part_of_its_ref_in_its_order(self) -> None:
        source = random.Random(SEED)
        refs = [source.randbytes(24) for _ in range(400)]
        rows = [(source.choice(refs), number) for number in range(3000)]
        divided = shuffle.Divided("versions", 7)
        pieces = []
        for begin in range(0, 3000, 500):
            some = rows[begin : begin + 500]
            batch = pa.record_batch(
                {
                    "ref": pa.array([ref for ref, _ in some], pa.binary()),
                    "record": pa.array([number for _, number in some], pa.int64()),
                }
            )
            pieces += divided.add(batch)
        pieces += divided.rest()
        found: dict[int, list[tuple[bytes, int]]] = {}
        for part, count, frame in pieces:
            batch = next(iter(frames.read_frames(written(frame, frames.end_frame(count))))).batch
            self.assertEqual(batch.num_rows, count)
            found.setdefault(part, []).extend(
                zip(batch["ref"].to_pylist(), batch["record"].to_pylist())
            )
        # The slow twin.
        wanted: dict[int, list[tuple[bytes, int]]] = {}
        for ref, number in rows:
            wanted.setdefault(int.from_bytes(ref[:4], "little") % 7, []).append((ref, number))
        self.assertEqual(found, wanted)
        self.assertEqual(divided.rows, 3000)


class AcceptedTests(unittest.TestCase):
    """The trips of files without what was set aside, against the plainest code."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.storage = Storage(folder.name)

    def stage(self, source: random.Random, file: int, rows: int) -> list[dict]:
        # A trip id may come again in other records; one record may hold several trips.
        trips, seen = [], set()
        while len(trips) < rows:
            name = source.randint(1, rows), f"T{source.randint(1, rows // 2)}"
            if name not in seen:
                seen.add(name)
                trips.append(
                    {
                        "trip_ref": name[1],
                        "record_number": name[0],
                        "status": source.choice([None, "ok"]),
                        "month": f"2026-{source.randint(1, 3):02d}",
                        "counted": source.random() < 0.8,
                        "class": "in_house",
                        "basis": "fleet",
                        "rule": source.choice([None, "own"]),
                    }
                )
        held = staging.ArrowFile(self.storage, f"map/{file}/trips.arrow")
        schema = pa.schema(
            [
                (
                    name,
                    pa.bool_()
                    if name == "counted"
                    else pa.int64()
                    if name == "record_number"
                    else pa.utf8(),
                )
                for name in trips[0]
            ]
        )
        for begin in range(0, rows, 100):
            held.add(pa.RecordBatch.from_pylist(trips[begin : begin + 100], schema))
        held.close()
        return trips

    def test_what_was_set_aside_is_left_out_and_decisions_are_made(self) -> None:
        source = random.Random(SEED)
        trips = {file: self.stage(source, file, 500) for file in range(3)}
        aside = {file: source.sample(trips[file], 120) for file in (0, 2)}
        decided = [trip for trip in trips[0] if trip not in aside[0]][:2]
        rows = [
            {"file": file, "record": trip["record_number"], "trip_ref": trip["trip_ref"]}
            for file, some in aside.items()
            for trip in some
        ]
        source.shuffle(rows)
        types = [("file", pa.int32()), ("record", pa.int64()), ("trip_ref", pa.utf8())]
        batch = pa.RecordBatch.from_pylist(rows, pa.schema(types))
        frames = [
            frame for _, _, frame in shuffle.pieces("set_aside", batch, np.arange(len(rows)) % 3)
        ]
        by_file = accepted._by_file(frames)
        files = [
            accepted.Staged(
                file,
                f"map/{file}/trips.arrow",
                500,
                120 if file in aside else 0,
                [
                    accepted.Decision(
                        trip["record_number"],
                        trip["trip_ref"],
                        "contracted",
                        "contract",
                        "override-x",
                    )
                    for trip in decided
                ]
                if file == 0
                else [],
            )
            for file in range(3)
        ]
        with mock.patch.object(accepted, "_FILE_ROWS", 150):
            said = accepted._write(self.storage, json.loads(accepted.work(4, files)), by_file)
        found = []
        for one in said["files"]:
            name = f"{said['folder']}/{one['month']}-{one['number']}.parquet"
            some = parquet.read_table(self.storage.at(name)).to_pylist()
            self.assertEqual(len(some), one["trips"])
            self.assertEqual({trip["month"] for trip in some}, {one["month"]})
            found += some
        self.assertGreater(max(one["number"] for one in said["files"]), 0)
        wanted = []
        for file in range(3):
            for trip in trips[file]:
                if trip not in aside.get(file, []):
                    new = {"class": "contracted", "basis": "contract", "rule": "override-x"}
                    wanted.append({**trip, **(new if file == 0 and trip in decided else {})})

        def order(trip: dict) -> str:
            return json.dumps(trip, sort_keys=True)

        self.assertEqual(sorted(map(order, found)), sorted(map(order, wanted)))
        self.assertEqual(said["accepted"], {0: 380, 1: 500, 2: 380})

    def test_rows_that_do_not_arrive_or_fit_no_trip_are_noticed(self) -> None:
        trips = self.stage(random.Random(SEED), 0, 50)
        one = {
            "file": [0],
            "record": [trips[0]["record_number"]],
            "trip_ref": [trips[0]["trip_ref"]],
        }
        cases = [
            (1, {}),
            (0, one),
            (1, {**one, "trip_ref": ["unknown"]}),
            (2, {key: value * 2 for key, value in one.items()}),
        ]
        for count, rows in cases:
            files = [accepted.Staged(0, "map/0/trips.arrow", 50, count)]
            with self.assertRaises(failures.Failure):
                accepted._write(
                    self.storage,
                    json.loads(accepted.work(0, files)),
                    {0: pa.table(rows)} if rows else {},
                )
        lost = accepted.Decision(1, "unknown", "in_house", "", "override-x")
        with self.assertRaises(failures.Failure):
            accepted._write(
                self.storage,
                json.loads(
                    accepted.work(0, [accepted.Staged(0, "map/0/trips.arrow", 50, 0, [lost])])
                ),
                {},
            )
        # A decision about a trip that was set aside decides none.
        one = {key: values[:1] for key, values in one.items()}
        decision = accepted.Decision(one["record"][0], one["trip_ref"][0], "in_house", "", "o")
        with self.assertRaises(failures.Failure):
            staged = accepted.Staged(0, "map/0/trips.arrow", 50, 1, [decision])
            accepted._write(
                self.storage, json.loads(accepted.work(0, [staged])), {0: pa.table(one)}
            )

    def test_small_files_are_written_together(self) -> None:
        files = [
            accepted.Staged(number, "", rows, 0)
            for number, rows in enumerate([5, 5, 100, 1, 1, 9, 30])
        ]
        found = [[file.file for file in group] for group in accepted.grouped(files, 10)]
        self.assertEqual(found, [[0, 1], [2], [3, 4, 5], [6]])


class ReadingTests(unittest.TestCase):
    """A task reads a file as it was listed, or says that it was written to."""

    def read(self, change: Callable[[Path], object]) -> bytes:
        """What is read of a file that changes when its first byte was read."""

        def whole(_words: object, _files: object, source: Iterable[bytes], _what: object) -> Any:
            pieces = []
            for piece in source:
                if not pieces:
                    change(path)
                pieces.append(piece)
            yield frames.Frame("report", None, b"".join(pieces))

        with tempfile.TemporaryDirectory() as folder:
            exports, staged = Storage(folder + "/in"), Storage(folder + "/out")
            exports.write("1.csv", b"one")
            path = Path(folder, "in", "1.csv")
            setup: Any = types.SimpleNamespace(
                input=exports,
                staging=staged,
                keys=[],
                threads=1,
                keeps_rows=True,
                program=lambda: types.SimpleNamespace(frames=whole),
            )
            (listed,) = exports.list()
            list(tasks._read(setup, program.Secret(b"key"), 1, listed))
            (report,) = (entry for entry in staged.list() if entry.path.endswith("report.json"))
            return staged.read(report.path)

    def test_a_file_that_stays_is_read(self) -> None:
        self.assertEqual(self.read(lambda path: None), b"one")

    def test_a_file_that_is_replaced_by_as_many_bytes_is_refused(self) -> None:
        def replaced(path: Path) -> None:
            path.write_bytes(b"two")
            os.utime(path, (10**9, 10**9))

        for change in (replaced, Path.unlink):
            with self.assertRaises(failures.Failure) as raised:
                self.read(change)
            self.assertEqual(raised.exception.status, 75)
            self.assertIn("file 1.csv was written to while", raised.exception.text)


class StorageTests(unittest.TestCase):
    def test_files_are_listed_moved_and_removed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            storage = Storage(folder)
            for path in ("b/c.csv", "a b#?.csv", "z.csv"):
                storage.write(path, b"abc")
            self.assertEqual(
                [(one.path, one.size) for one in storage.list()],
                [("a b#?.csv", 3), ("b/c.csv", 3), ("z.csv", 3)],
            )
            self.assertEqual(Storage(folder + "/none").list(), [])
            storage.move([("b/c.csv", "d/e/f.csv")])
            self.assertEqual(storage.below("d/e").read("f.csv"), b"abc")
            storage.remove("d")
            storage.remove("d")
            self.assertFalse(storage.exists("d/e/f.csv"))

    def test_a_name_that_is_no_utf_8_is_said(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            Path(os.fsdecode(os.fsencode(folder) + b"/d\xfcsseldorf.csv")).touch()
            with self.assertRaises(failures.Failure) as raised:
                Storage(folder).list()
            self.assertEqual(raised.exception.status, 66)
            self.assertIn("d\\xfcsseldorf.csv: its name is no UTF-8", raised.exception.text)

    def test_what_cannot_be_read_or_written_is_named(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "file").touch()
            storage = Storage(folder + "/file")
            for act, status in (
                (storage.names, 74),
                (storage.folders, 74),
                (lambda: storage.below("x").read("y"), 74),
                (lambda: Storage(folder).read("none"), 74),
                (lambda: storage.write("x", b""), 73),
                (lambda: storage.rename("x", "y"), 73),
                (lambda: Storage(folder).remove("file"), 73),
                (storage.list, 66),
            ):
                with self.assertRaises(failures.Failure) as raised:
                    act()
                self.assertEqual(raised.exception.status, status, raised.exception.text)
                self.assertTrue(raised.exception.text.startswith(Path(folder).as_uri()))

    def test_a_folder_holds_itself_and_what_lies_below(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "in").mkdir()
            Path(folder, "link").symlink_to(folder + "/in")
            exports = Storage(folder + "/in")
            for path, expected in (
                ("in", True),
                ("in/out", True),
                ("in/../in/out", True),
                ("link/out", True),
                ("in2", False),
                ("in/../out", False),
                ("", False),
            ):
                self.assertEqual(exports.holds(Storage(f"{folder}/{path}")), expected, path)
            self.assertTrue(Storage("s3://b/in/").holds(Storage("s3a://b/in/out")))
            self.assertFalse(Storage("s3://b/in").holds(Storage("s3://c/in/out")))

    def test_a_name_that_says_gzip_is_written_and_read_as_it_is(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            Storage(folder).write("a.csv.gz", b"plain")
            self.assertEqual(Path(folder, "a.csv.gz").read_bytes(), b"plain")
            self.assertEqual(Storage(folder).read("a.csv.gz"), b"plain")

    def test_a_name_that_says_gzip_is_opened_as_it_is(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.csv.gz").write_bytes(b"\x1f\x8b plain")
            with Storage(folder).open("a.csv.gz") as stream:
                self.assertEqual(stream.read(), b"\x1f\x8b plain")

    def test_the_words_of_spark_for_object_storage_are_understood(self) -> None:
        self.assertEqual(Storage("s3a://bucket/folder/").uri, "s3://bucket/folder")


class SessionTests(unittest.TestCase):
    class Known(dict):
        pass

    def settings(self, given: dict, known: dict, master: str | None) -> dict:
        return session.settings(given, self.Known(known), master)  # type: ignore[arg-type]

    def test_everything_is_encrypted_unless_it_is_said_otherwise(self) -> None:
        found = self.settings(
            {"spark.io.encryption.enabled": "false"},
            {"spark.network.crypto.enabled": "false"},
            "yarn",
        )
        self.assertEqual(
            (found["spark.authenticate"], found["spark.io.encryption.enabled"]), ("true", "false")
        )
        self.assertNotIn("spark.network.crypto.enabled", found)

    def test_the_child_of_each_core_has_its_memory(self) -> None:
        found = self.settings({"spark.executor.cores": "4"}, {}, "yarn")
        self.assertEqual(found["spark.executor.memoryOverhead"], "3456m")
        self.assertNotIn(
            "spark.executor.memoryOverhead",
            self.settings({}, {"spark.executor.memoryOverhead": "1g"}, "yarn"),
        )

    def test_a_standalone_cluster_has_its_own_secret(self) -> None:
        with self.assertRaises(failures.Failure):
            self.settings({}, {}, "spark://one:7077")
        self.assertNotIn(
            "spark.authenticate.secret",
            self.settings({}, {"spark.authenticate.secret": "s"}, "spark://one:7077"),
        )
        self.assertEqual(
            len(self.settings({}, {}, "local-cluster[2,1,1024]")["spark.authenticate.secret"]), 64
        )


class CommittedTests(unittest.TestCase):
    def test_what_the_machine_is_to_blame_for_can_be_imported_later(self) -> None:
        # docs/OPERATIONS.md; 137 is what a shell says of a program that was killed.
        later = {70, 71, 73, 74, 75, 130, 137, 143}
        others = {2, 11, 12, 65, 66, 69, 77, 78}
        found = {status for status in later | others if committed.can_be_imported_later(status)}
        self.assertEqual(found, later)


class FaultTests(unittest.TestCase):
    def test_the_end_of_a_traceback_is_what_is_said(self) -> None:
        frames = "".join(f'  File "worker.py", line {n}, in run\n    work()\n' for n in range(20))
        fault = f"""

  An exception was thrown from the Python worker. Please see the stack trace below.
Traceback (most recent call last):
{frames}OSError: [Errno 28] No space left on device

\tat org.apache.spark.api.python.BasePythonRunner.handle(PythonRunner.scala:581)
"""
        self.assertEqual(cluster._cause(fault), "OSError: [Errno 28] No space left on device")
        self.assertEqual(cluster._cause("a\nb"), "a\nb")


class OptionTests(unittest.TestCase):
    def test_a_query_of_the_output_is_refused(self) -> None:
        words = "run p --input i --out s3://b/p?region=x --mart m --key-file k".split()
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()) as said:
            options.read(words)
        self.assertIn("without a query", said.getvalue())

    def test_words_become_options(self) -> None:
        found = options.read(
            "run p --input i --out o --mart m --key-file k --conf spark.a=b=c --skip x --skip y".split()
        )
        self.assertEqual(
            (found.conf, found.skip, found.triptych), ({"spark.a": "b=c"}, ["x", "y"], "triptych")
        )

    def test_a_key_is_no_setting(self) -> None:
        self.assertFalse(
            [
                word
                for word in vars(
                    options.read("run p --input i --out o --mart m --key-file k".split())
                )
                if word == "key"
            ]
        )


if __name__ == "__main__":
    unittest.main()
