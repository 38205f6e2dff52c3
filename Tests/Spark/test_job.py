#!/usr/bin/env python3
"""Whole jobs on `local[2]`, with a stand-in for the program: what is published, committed, removed,
refused.

All jobs are started by this Python, so that Spark's Java starts once.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import io
import json
import os
import sys
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from small_job import ENGINE, SECRET, SmallJob

sys.path.insert(0, str(ENGINE))

from shared_session import one_session  # noqa: E402
from triptych_spark import job, options, session  # noqa: E402
from triptych_spark.driver import Driver  # noqa: E402
from triptych_spark.failures import Failure  # noqa: E402
from triptych_spark.storage import Storage  # noqa: E402


# `make test` runs the others, within the time that it has for Spark.
in_proofs = unittest.skipUnless(os.environ.get("PROVE"), "make prove runs it")


class JobTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        # Java keeps the scratch folder that it was started with.
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.scratch = Path(folder.name)
        shared = contextlib.ExitStack()
        cls.addClassCleanup(shared.close)
        shared.enter_context(one_session(cls.scratch / "session"))

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.small = SmallJob(self.folder / "job", files=3, trips=200)
        environment = {**self.small.environment(), "SPARK_LOCAL_DIRS": str(self.scratch)}
        changed = mock.patch.dict(os.environ, environment)
        changed.start()
        self.addCleanup(changed.stop)

    def run_job(self, *words: str) -> int:
        return job.run(options.read(self.small.command(*words)[3:]))

    def claim(self) -> None:
        """Says whose the output folder is, as a job does first."""
        with tempfile.TemporaryDirectory() as folder:
            one = job.Job(options.read(self.small.command()[3:]), Path(folder))
            one._committed.claim(one._planned({})[0], writes=True)

    def left(self) -> list[str]:
        out = self.small.folder / "out"
        return (
            [path.name for path in out.iterdir() if path.name != "_mart.json"]
            if out.exists()
            else []
        )

    def test_what_was_read_is_published_once_and_nothing_is_left_behind(self) -> None:
        # A driver that was killed left these.
        out = self.small.folder / "out"
        self.claim()
        (out / "_staging" / "x").mkdir(parents=True)
        (out / ("a" * 64) / "trips").mkdir(parents=True)
        (out / ("a" * 64) / "trips" / "some.parquet").write_bytes(b"half")
        self.assertEqual(self.run_job("--ship-binary"), 0)
        # Spark still runs, and all that it wrote is there.
        written = [*self.small.folder.rglob("*"), *self.scratch.rglob("*")]
        files = [path for path in written if path.is_file() and path.name != "key"]
        self.assertTrue(any(path.suffix == ".data" for path in files))
        key = b"a key that no log may show"
        self.assertEqual([path.name for path in files if key in path.read_bytes()], [])
        self.assertEqual(self.small.faults(), [])

    def test_a_file_that_is_cut_withholds_everything(self) -> None:
        path = self.small.folder / "in" / "1.csv.gz"
        path.write_bytes(path.read_bytes()[:-20])
        self.assertEqual(self.run_job(), 65)
        self.assertEqual((self.small.published(), self.left()), ([], []))

    @in_proofs
    def test_what_a_program_says_on_a_worker_is_said_on_the_driver(self) -> None:
        program = self.small.folder / "bin" / "triptych"
        program.write_text(
            program.read_text().replace(
                "#!/bin/sh\n",
                '#!/bin/sh\n[ "$1 $3" = "map 2" ] && '
                "{ echo 'the memory is exhausted' >&2; exit 71; }\n",
            )
        )
        with self.assertRaises(Failure) as raised:
            self.run_job()
        self.assertEqual(raised.exception.status, 71)
        self.assertIn(
            "file 2.csv: triptych ended with status 71: the memory is exhausted",
            raised.exception.text,
        )
        self.assertEqual(self.small.published(), [])

    def test_what_was_committed_is_imported_and_not_read_again(self) -> None:
        with (
            mock.patch.object(Driver, "publish", side_effect=KeyboardInterrupt),
            self.assertRaises(KeyboardInterrupt),
        ):
            self.run_job()
        self.assertEqual(self.small.published(), [])
        with mock.patch.object(session, "started", side_effect=AssertionError):
            self.assertEqual(self.run_job(), 0)
        self.assertEqual(self.small.faults(), [])

    @contextlib.contextmanager
    def ending(self, step: str, status: str) -> Iterator[None]:
        """Lets one step of the program end like this, and the others do their work."""
        program = self.small.folder / "bin" / "triptych"
        held = program.read_text()
        program.write_text(held.replace("\n", f'\n[ "$1" = {step} ] && {status}\n', 1))
        try:
            yield
        finally:
            program.write_text(held)

    def kept(self) -> Path:
        """Runs a job that commits, and whose import meets a mart that is locked."""
        with self.ending("import-cube", "exit 75"):
            self.assertEqual(self.run_job(), 75)
        self.assertEqual(self.small.published(), [])
        (name,) = self.left()
        return self.small.folder / "out" / name

    def test_an_import_that_can_be_done_later_keeps_what_was_read(self) -> None:
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            folder = self.kept()
        self.assertIn(f"stays at {folder.as_uri()}: the same command", said.getvalue())
        # Again, by other endings of that kind, and no file is read.
        with mock.patch.object(session, "started", side_effect=AssertionError):
            for ending, status in (
                ("exit 70", 70),
                ("exit 130", 130),
                ("exit 143", 143),
                ("kill -KILL $$", 137),
            ):
                with self.ending("import-cube", ending):
                    self.assertEqual(self.run_job(), status)
                self.assertEqual((self.left(), self.small.published()), ([folder.name], []))
            self.assertEqual(self.run_job(), 0)
        self.assertEqual(self.small.faults(), [])
        self.assertFalse((self.small.folder / "mart" / "cluster").exists())

    @in_proofs
    def test_an_import_that_refuses_the_results_removes_them(self) -> None:
        with self.ending("import-cube", "exit 11"):
            self.assertEqual(self.run_job(), 11)
        self.assertEqual((self.left(), self.small.published()), ([], []))
        self.assertFalse((self.small.folder / "mart" / "cluster").exists())

    def test_results_of_another_plan_are_never_imported(self) -> None:
        folder = self.kept()
        (self.small.folder / "pipeline").write_text("edited rules")
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.assertEqual(self.run_job(), 0)
        self.assertIn(f"{folder.name} that were not published", said.getvalue())
        self.assertEqual(self.small.faults(), [])
        self.assertNotIn(folder.name, self.left())

    @in_proofs
    def test_results_of_another_state_of_the_mart_are_never_imported(self) -> None:
        folder = self.kept()
        other = self.small.folder / "mart" / "generations"
        other.mkdir()
        (other / "other.sqlite").touch()
        self.assertEqual(self.run_job(), 0)
        self.assertNotIn(folder.name, self.left())
        (other / "other.sqlite").unlink()
        self.assertEqual(self.small.faults(), [])

    def published_by_a_killed_driver(self) -> str:
        """Runs a job whose driver dies when it has published; gives the name of its folder."""
        publish = Driver.publish

        def dying(*words: object) -> int:
            publish(*words)  # type: ignore[arg-type]
            raise KeyboardInterrupt

        with (
            mock.patch.object(Driver, "publish", dying),
            self.assertRaises(KeyboardInterrupt),
        ):
            self.run_job()
        (name,) = (name for name in self.left() if name != "_staging")
        return name

    @in_proofs
    def test_what_was_published_before_an_edit_is_left_as_it_is(self) -> None:
        first = self.published_by_a_killed_driver()
        (self.small.folder / "pipeline").write_text("edited rules")
        self.assertEqual((self.run_job(), len(self.small.published())), (0, 2))
        self.assertIn(first, self.left())
        self.assertFalse((self.small.folder / "mart" / "cluster").exists())

    @in_proofs
    def test_what_was_published_and_is_not_served_settles_nothing(self) -> None:
        first = self.published_by_a_killed_driver()
        said = io.StringIO()
        with self.ending("import-cube", "exit 14"), contextlib.redirect_stderr(said):
            self.assertEqual(self.run_job(), 14)
        self.assertIn("reading 3 files", said.getvalue())
        self.assertEqual(self.left(), [first])

    @in_proofs
    def test_no_other_account_reads_what_is_kept(self) -> None:
        folder = self.kept()
        mart, out = self.small.folder / "mart", self.small.folder / "out"
        (plan,) = (mart / "cluster").iterdir()
        self.assertEqual((plan.stem, plan.stat().st_mode & 0o777), (folder.name, 0o600))
        self.assertIn(SECRET, plan.read_text())
        files = [path for path in out.rglob("*") if path.is_file()]
        self.assertIn(".parquet", {path.suffix for path in files})
        self.assertEqual([path for path in files if SECRET.encode() in path.read_bytes()], [])
        wide = [path for path in [out, *out.rglob("*")] if path.stat().st_mode & 0o027]
        self.assertEqual(wide, [])

    @in_proofs
    def test_a_plan_that_was_never_committed_goes_with_the_next_job(self) -> None:
        plans = self.small.folder / "mart" / "cluster"
        plans.mkdir(parents=True)
        (plans / f"{'a' * 64}.json").write_text("{}")
        self.assertEqual(self.run_job(), 0)
        self.assertFalse(plans.exists())

    def test_a_dry_run_leaves_nothing_behind(self) -> None:
        (self.small.folder / "key").unlink()
        before = sorted(self.small.folder.rglob("*"))
        self.assertEqual(self.run_job("--dry-run"), 0)
        after = [path for path in self.small.folder.rglob("*") if "scratch" not in path.parts]
        self.assertEqual(sorted(after), before)
        # Nor of what others left.
        folder = self.kept()
        kept = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
        self.assertEqual(self.run_job("--dry-run"), 0)
        self.assertEqual({path: path.stat().st_mtime_ns for path in folder.rglob("*")}, kept)
        self.assertEqual((self.small.published(), self.left()), ([], [folder.name]))

    def test_files_judged_by_the_wrong_day_are_read_once_more(self) -> None:
        path = self.small.folder / "in" / "2.csv"
        path.write_text(path.read_text() + "known,2026-03,5\n")
        self.small.last["known"] = "2026-03", 5
        self.small.versions += 1
        plan, given = Driver.plan, []

        def planned(driver: Driver, listing: Path, where: Path) -> dict:
            given.append([json.loads(line) for line in listing.read_text().splitlines()])
            return plan(driver, listing, where)

        with mock.patch.object(Driver, "plan", planned):
            self.assertEqual(self.run_job(), 0)
        self.assertEqual(self.small.faults(), [])
        contents = [[one["path"] for one in some if "content_hash" in one] for some in given]
        self.assertEqual(contents, [[], ["2.csv"]])
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        self.assertEqual(given[1][2]["content_hash"], content)

    @in_proofs
    def test_a_folder_belongs_to_one_mart(self) -> None:
        out = self.small.folder / "out"
        out.mkdir()
        (out / "_mart.json").write_text('{"pipeline": "other", "key_check": "k"}')
        (out / "_staging").mkdir()
        with self.assertRaises(Failure) as raised:
            self.run_job()
        self.assertEqual((raised.exception.status, self.left()), (78, ["_staging"]))

    def test_a_folder_of_something_else_is_refused_and_left_as_it_is(self) -> None:
        other = self.small.folder / "out" / "_staging" / "of another tool"
        other.mkdir(parents=True)
        for words in [(), ("--dry-run",)]:
            with self.assertRaises(Failure) as raised:
                self.run_job(*words)
            self.assertEqual(raised.exception.status, 78)
            self.assertIn("something else in it (_staging)", raised.exception.text)
        self.assertTrue(other.exists())
        self.assertFalse((self.small.folder / "out" / "_mart.json").exists())
        # What a dry run staged that was killed is none of something else.
        other.rename(other.with_name("a" * 64))
        self.claim()
        self.assertTrue((self.small.folder / "out" / "_mart.json").exists())

    def test_an_output_among_the_exports_is_refused(self) -> None:
        words = self.small.command()[3:]
        out = self.small.folder / "in" / "out"
        words[words.index("--out") + 1] = str(out)
        with self.assertRaises(Failure) as raised:
            job.run(options.read(words))
        self.assertEqual(raised.exception.status, 2)
        self.assertIn(f"{out.as_uri()} lies in", raised.exception.text)
        self.assertFalse(out.exists())

    def test_a_damaged_name_of_the_mart_is_no_other_mart(self) -> None:
        for text in ("{", "[1]"):
            self.claim()
            (self.small.folder / "out" / "_mart.json").write_text(text)
            with self.assertRaises(Failure) as raised:
                self.run_job()
            self.assertEqual(raised.exception.status, 78)
            self.assertIn("out/_mart.json is not what a job wrote", raised.exception.text)
            (self.small.folder / "out" / "_mart.json").unlink()

    def test_a_damaged_manifest_is_named_with_the_folder_to_move(self) -> None:
        self.claim()
        folder = self.small.folder / "out" / ("a" * 64)
        folder.mkdir()
        (folder / "_manifest.json").write_text("{")
        with self.assertRaises(Failure) as raised:
            self.run_job()
        self.assertEqual(raised.exception.status, 78)
        self.assertIn(f"move {folder.as_uri()} away", raised.exception.text)
        self.assertTrue(folder.exists())

    def test_a_file_in_the_place_of_the_mart_is_named(self) -> None:
        (self.small.folder / "mart").touch()
        with self.assertRaises(Failure) as raised:
            self.run_job()
        self.assertEqual(raised.exception.status, 66)
        self.assertIn(f"{self.small.folder}/mart cannot be the folder", raised.exception.text)

    def test_a_place_without_exports_is_named(self) -> None:
        wrong = self.small.folder / "no such folder"
        words = self.small.command()[3:]
        words[words.index("--input") + 1] = str(wrong)
        with self.assertRaises(Failure) as raised:
            job.run(options.read(words))
        self.assertEqual(raised.exception.status, 66)
        self.assertIn(f"{wrong.as_uri()} has no file", raised.exception.text)
        self.assertFalse((self.small.folder / "mart").exists())

    @in_proofs
    def test_a_file_that_a_worker_cannot_open_is_named(self) -> None:
        listed = Storage.list

        def gone(storage: Storage, path: str = "") -> list:
            found = listed(storage, path)
            if path == "" and storage.uri.endswith("/in"):
                (self.small.folder / "in" / "2.csv").unlink()
            return found

        with mock.patch.object(Storage, "list", gone), self.assertRaises(Failure) as raised:
            self.run_job()
        self.assertEqual(raised.exception.status, 66)
        self.assertRegex(raised.exception.text, "file 2.csv: .+ cannot open it")

    def test_one_job_works_on_a_mart_at_a_time(self) -> None:
        mart = self.small.folder / "mart"
        mart.mkdir()
        held = os.open(mart, os.O_RDONLY)
        self.addCleanup(os.close, held)
        fcntl.flock(held, fcntl.LOCK_EX)
        with self.assertRaises(Failure) as raised:
            self.run_job()
        self.assertEqual(raised.exception.status, 75)


if __name__ == "__main__":
    # Spark leaves its sockets to the end of the process.
    unittest.main(warnings="ignore")
