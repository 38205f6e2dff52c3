#!/usr/bin/env python3
"""Whole jobs on `local[2]`, with a stand-in for the program: what is published, committed, removed,
refused.

All jobs are started by this Python, so that Spark's Java starts once.
"""

from __future__ import annotations

import fcntl
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from small_job import ENGINE, SmallJob

sys.path.insert(0, str(ENGINE))

from triptych_spark import job, options, session  # noqa: E402
from triptych_spark.driver import Driver  # noqa: E402
from triptych_spark.failures import Failure  # noqa: E402


class JobTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        # Java keeps the scratch folder that it was started with.
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.scratch = Path(folder.name)

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
        (out / "_staging" / "x").mkdir(parents=True)
        (out / ("a" * 64) / "trips").mkdir(parents=True)
        (out / ("a" * 64) / "trips" / "some.parquet").write_bytes(b"half")
        with mock.patch.object(job.Cluster, "stop", lambda cluster: None):
            self.assertEqual(self.run_job("--ship-binary"), 0)
        # Spark still runs, and all that it wrote is there.
        written = [*self.small.folder.rglob("*"), *self.scratch.rglob("*")]
        files = [path for path in written if path.is_file() and path.name != "key"]
        self.assertTrue(any(path.suffix == ".data" for path in files))
        key = b"a key that no log may show"
        self.assertEqual([path.name for path in files if key in path.read_bytes()], [])
        session.SparkContext._active_spark_context.stop()
        self.assertEqual(self.small.faults(), [])

    def test_a_file_that_is_cut_withholds_everything(self) -> None:
        path = self.small.folder / "in" / "1.csv.gz"
        path.write_bytes(path.read_bytes()[:-20])
        self.assertEqual(self.run_job(), 65)
        self.assertEqual((self.small.published(), self.left()), ([], []))

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

    def test_a_folder_belongs_to_one_mart(self) -> None:
        out = self.small.folder / "out"
        out.mkdir()
        (out / "_mart.json").write_text('{"pipeline": "other", "key_check": "k"}')
        (out / "_staging").mkdir()
        with self.assertRaises(Failure) as raised:
            self.run_job()
        self.assertEqual((raised.exception.status, self.left()), (78, ["_staging"]))

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
