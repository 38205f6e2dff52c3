"""The words of the command line."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

_DESCRIPTION = """Runs a Triptych pipeline over the exports at a URI on a Spark cluster, and publishes a generation whose
trips lie beside it as Parquet. URIs are file://, s3://, hdfs://, gs://, abfss:// or paths."""


@dataclass(frozen=True)
class Options:
    """What a run was asked for."""

    pipeline: str
    input: str
    reference: str | None
    out: str
    mart: str
    key_file: str
    master: str | None
    triptych: str
    ship_binary: bool
    partitions: int | None
    skip: list[str]
    accept_smaller: list[str]
    include: list[str]
    apply_changes: bool
    dry_run: bool
    approved_by: str | None
    conf: dict[str, str]


def read(words: list[str] | None = None) -> Options:
    """Reads the command line; ends the program with status 2 where it cannot be understood."""
    parser = argparse.ArgumentParser(prog="triptych-spark", description=_DESCRIPTION)
    commands = parser.add_subparsers(dest="command", required=True, metavar="run")
    run = commands.add_parser("run", description=_DESCRIPTION, help="read, classify and publish")
    run.add_argument("pipeline", help="the pipeline's folder, on this machine")
    run.add_argument(
        "--input",
        required=True,
        metavar="URI",
        help="the folder of exports, which every worker can read",
    )
    run.add_argument(
        "--reference", metavar="DIR", help="the folder of reference files, on this machine"
    )
    run.add_argument(
        "--out",
        required=True,
        metavar="URI",
        help="where the Parquet goes; every worker can write there",
    )
    run.add_argument("--mart", required=True, metavar="DIR", help="the mart, on this machine")
    run.add_argument(
        "--key-file", required=True, metavar="FILE", help="the mart's key, on this machine alone"
    )
    run.add_argument(
        "--master",
        metavar="URL",
        help="Spark's master; without it that of spark-submit, else local[*]",
    )
    run.add_argument(
        "--triptych",
        default="triptych",
        metavar="PATH",
        help="the program, on this machine and every worker",
    )
    run.add_argument(
        "--ship-binary", action="store_true", help="let this machine's program travel with the job"
    )
    run.add_argument(
        "--partitions",
        type=int,
        metavar="N",
        help="parts of the shuffle; by the size of the files if missing",
    )
    run.add_argument(
        "--skip",
        action="append",
        default=[],
        metavar="FILE",
        help="leave this file out; may be repeated",
    )
    run.add_argument(
        "--accept-smaller",
        action="append",
        default=[],
        metavar="FILE",
        help="accept a file that brings far less than it replaces; may be repeated",
    )
    run.add_argument(
        "--include",
        action="append",
        default=[],
        metavar="FILE",
        help="publish a file that a rollback left out; may be repeated",
    )
    run.add_argument("--approved-by", metavar="NAME", help="the approver of these edits")
    run.add_argument(
        "--apply-changes",
        action="store_true",
        help="publish edits of the pipeline and of reference files",
    )
    run.add_argument(
        "--dry-run",
        action="store_true",
        help="do everything up to the checks, print what would be published, write nothing",
    )
    run.add_argument(
        "--conf",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of Spark; may be repeated",
    )
    said = vars(parser.parse_args(words))
    said.pop("command")
    conf = {}
    for setting in said.pop("conf"):
        name, equals, value = setting.partition("=")
        if not equals or not name.startswith("spark."):
            run.error(f"--conf {setting}: expected spark.NAME=VALUE")
        conf[name] = value
    if said["partitions"] is not None and not 1 <= said["partitions"] <= 100_000:
        run.error(f"--partitions {said['partitions']}: expected 1 to 100000")
    if "://" in said["out"] and any(mark in said["out"] for mark in "?#"):
        run.error(f"--out {said['out']}: expected a URI without a query; settings come from the environment")
    return Options(**said, conf=conf)
