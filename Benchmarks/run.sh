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
    *) kind=bench wanted=Benchmarks/rivals/requirements.txt ;;
esac
environment=.build/$kind-venv
command -v python3 >/dev/null || { echo "python3 is missing: apt-get install python3 python3-venv" >&2; exit 1; }
if ! cmp -s "$wanted" "$environment/installed.txt"; then
    rm -rf "$environment"
    python3 -m venv "$environment" || { echo "apt-get install python3-venv, then run this again" >&2; exit 1; }
    "$environment/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted"
    cp "$wanted" "$environment/installed.txt"
fi
shift
exec "$environment/bin/python" "Benchmarks/$script" "$@"
