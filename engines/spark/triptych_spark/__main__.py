"""`triptych-spark`, and what spark-submit is given."""

from __future__ import annotations

import sys
from pathlib import Path

if not __package__:
    # spark-submit starts this file by its path.
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from triptych_spark import job, options  # noqa: E402
from triptych_spark.failures import Failure  # noqa: E402


def main() -> None:
    """Runs the command; ends with an exit status of docs/OPERATIONS.md."""
    try:
        sys.exit(job.run(options.read()))
    except Failure as failure:
        print(f"triptych-spark: {failure.text}", file=sys.stderr)
        sys.exit(failure.status)
    except OSError as fault:
        print(
            f"triptych-spark: this machine cannot read or write: {fault}. Check its disks, then run"
            " the same command again; what was committed is not read again.",
            file=sys.stderr,
        )
        sys.exit(74)
    except KeyboardInterrupt:
        # What was committed waits for the next job.
        sys.exit(130)


if __name__ == "__main__":
    main()
