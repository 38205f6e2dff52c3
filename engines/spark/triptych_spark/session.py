"""The Spark session: encrypted by default, and with room for the child beside each task."""

from __future__ import annotations

import os
import secrets
import sys
import zipfile
from pathlib import Path

from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

from .failures import Failure

# For each core: 300 MB of a child (docs/SHARDS.md), and Python with the rows that it holds.
CHILD_MEGABYTES = 768
# Spark's own share, as it would be without us.
_OVERHEAD_MEGABYTES = 384

# What --conf does not say otherwise.
DEFAULTS = {
    # The rows of the shuffle, on their way and on workers' disks.
    "spark.authenticate": "true",
    "spark.network.crypto.enabled": "true",
    "spark.io.encryption.enabled": "true",
    # Each part of the shuffle is one task, however small.
    "spark.sql.adaptive.enabled": "false",
    # A row is a whole frame of up to some megabytes.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "16",
    # Java's serializer holds on to what it has written until it is reset, each hundred batches of
    # rows if nothing says otherwise: with a large file that is more than the heap.
    "spark.serializer.objectStreamReset": "1",
}


def settings(given: dict[str, str], known: SparkConf, master: str | None) -> dict[str, str]:
    """The settings of the session: what was given, what Spark's own files say, and else the
    defaults."""
    # Spark's own files do not say so, but what starts Python from Java does.
    chosen = {"spark.ui.showConsoleProgress": "false", **given}
    if master is not None:
        chosen["spark.master"] = master

    def setting(name: str) -> str | None:
        return chosen.get(name, known.get(name, None))

    for name, value in DEFAULTS.items():
        if setting(name) is None:
            chosen[name] = value
    if (
        setting("spark.executor.memoryOverhead") is None
        and setting("spark.executor.memoryOverheadFactor") is None
    ):
        cores = int(setting("spark.executor.cores") or 1)
        chosen["spark.executor.memoryOverhead"] = (
            f"{_OVERHEAD_MEGABYTES + CHILD_MEGABYTES * cores}m"
        )
    where = setting("spark.master") or "local[*]"
    chosen.setdefault("spark.master", where)
    if setting("spark.authenticate") == "true" and setting("spark.authenticate.secret") is None:
        if where.startswith("local-cluster"):
            chosen["spark.authenticate.secret"] = secrets.token_hex(32)
        elif where.startswith("spark://"):
            raise Failure(
                "A standalone cluster needs spark.authenticate and one spark.authenticate.secret in the"
                " conf/spark-defaults.conf of its master, its workers and this machine. Set them there; do not give"
                " the secret as an argument. (YARN and Kubernetes make one of their own.)",
                78,
            )
    return chosen


def started(given: dict[str, str], master: str | None, name: str, folder: Path) -> SparkSession:
    """Starts the session, and lets this package travel to its workers.

    `folder` is one that lasts as long as the session.
    """
    # Java reads Spark's own files. It is started before a secret is made here, so that none is an
    # argument of it.
    SparkContext._ensure_initialized(conf=SparkConf(loadDefaults=False).setAll(list(given.items())))
    chosen = settings(given, SparkConf(), master)
    if chosen["spark.master"].startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName(name)
    for key, value in chosen.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.addPyFile(_package(folder))
    return session


def _package(folder: Path) -> str:
    """This package as a file of its own: workers need not have it installed."""
    own = Path(__file__).resolve().parent
    target = folder / "triptych_spark.zip"
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(own.glob("*.py")):
            archive.write(path, f"{own.name}/{path.name}")
    return str(target)
