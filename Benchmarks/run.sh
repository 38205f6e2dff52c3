#!/usr/bin/env bash
# Runs one of the Python scripts here with what it needs installed in a virtual environment of its own:
#
#     Benchmarks/run.sh compare.py --sizes T --runs 5
#     Benchmarks/run.sh growth.py --folder DIR
#
# The options are those of the script. TRIPTYCH_PROGRAM names another program than the built one.
set -euo pipefail
cd "$(dirname "$0")/.."

script=${1:?which script? such as compare.py}
case $script in
    # Asks for another DuckDB than the others.
    sqlmesh_change.py) kind=sqlmesh wanted=Benchmarks/rivals/requirements-sqlmesh.txt ;;
    # Datasette and what it needs.
    serve.py) kind=serve wanted=Benchmarks/rivals/requirements-serve.txt ;;
    # Spark with what the job on it needs.
    spark.py) kind=spark wanted=engines/spark/requirements.txt ;;
    # What the tests of the contract need.
    stress.py) kind=contract wanted=Tests/Contract/requirements.txt ;;
    *) kind=bench wanted=Benchmarks/rivals/requirements.txt ;;
esac
python=$(.ci/venv "$kind" "$wanted")
shift
exec "$python" "Benchmarks/$script" "$@"
