#!/usr/bin/env python3
"""Compares both ways to run on a standalone cluster: a master and two workers on loopback, with a
secret of its own.

The words are those of equality.py, but for the master. The program travels with the job.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyspark

HERE = Path(__file__).resolve().parent


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextlib.contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[tuple[str, dict[str, str]]]:
    """A master and its workers, as processes of their own; gives the master's URL and the
    environment of a driver."""
    home = Path(pyspark.__file__).parent
    configuration = folder / "conf"
    configuration.mkdir(parents=True)
    settings = configuration / "spark-defaults.conf"
    settings.touch(mode=0o600)
    settings.write_text(
        f"spark.authenticate true\nspark.authenticate.secret {secrets.token_hex(32)}\n"
        "spark.network.crypto.enabled true\nspark.ui.enabled false\n"
    )
    environment = {
        **os.environ,
        "SPARK_CONF_DIR": str(configuration),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_DIRS": str(folder / "scratch"),
        "SPARK_WORKER_DIR": str(folder / "work"),
        "PYSPARK_PYTHON": sys.executable,
    }
    port = free_port()
    url = f"spark://127.0.0.1:{port}"
    program = str(home / "bin" / "spark-class")
    # The pages of the master and of each worker take any port.
    commands = [
        ["Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", str(free_port())]
    ]
    commands += [
        [
            "Worker",
            "--host",
            "127.0.0.1",
            "--cores",
            "1",
            "--memory",
            "1g",
            "--webui-port",
            str(free_port()),
            url,
        ]
        for _ in range(workers)
    ]
    processes = []
    try:
        for command in commands:
            name = f"{command[0].lower()}-{len(processes)}"
            with open(folder / f"{name}.log", "wb") as log:
                processes.append(
                    subprocess.Popen(
                        [
                            program,
                            f"org.apache.spark.deploy.{command[0].lower()}.{command[0]}",
                            *command[1:],
                        ],
                        env=environment,
                        stdout=log,
                        stderr=log,
                        start_new_session=True,
                    )
                )
            if command[0] == "Master":
                _wait(port, processes[0])
        yield url, environment
    finally:
        for process in reversed(processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for process in processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=30)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _wait(port: int, process: subprocess.Popen[bytes], seconds: int = 120) -> None:
    """Waits until the master listens."""
    for _ in range(seconds * 10):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    sys.exit("the master of Spark does not listen: see its log")


def main() -> int:
    """Starts the cluster, and the comparison on it."""
    words = sys.argv[1:]
    folder = Path(words[words.index("--folder") + 1]).resolve() / "cluster"
    with cluster(folder) as (url, environment):
        ending = subprocess.run(
            [
                sys.executable,
                "-B",
                str(HERE / "equality.py"),
                *words,
                "--master",
                url,
                "--ship-binary",
            ],
            env=environment,
        )
    shutil.rmtree(folder / "scratch", ignore_errors=True)
    return ending.returncode


if __name__ == "__main__":
    sys.exit(main())
