#!/usr/bin/env bash
# Measures the first build that `make run` does: the program alone, in release, nothing built before.
#
#     Benchmarks/build.sh [COMMIT …]
#
# Each commit (HEAD, where none is named) is cloned into a folder of its own and built there, one after
# the other: two commits in one call were built under like load. What was downloaded before is not
# downloaded again. Prints wall and processor time, and where the time went.
set -euo pipefail
cd "$(dirname "$0")/.."

(($# > 0)) || set -- HEAD
for commit in "$@"; do
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    git clone --quiet . "$folder/clone"
    git -C "$folder/clone" checkout --quiet "$(git rev-parse "$commit")"
    cd "$folder/clone"
    swift package resolve >"$folder/log" 2>&1
    TIMEFORMAT='%R %U'
    started=$(date +%s)
    { time swift build -c release --product triptych 2>&1 | while IFS= read -r line; do
        echo "$(($(date +%s) - started)) $line"
    done >"$folder/log"; } 2>"$folder/time" || { tail -n 20 "$folder/log" >&2; exit 1; }
    read -r wall user <"$folder/time"
    printf '%s: %.0f s, %.0f s of processor time, %s processors\n' \
        "$(git rev-parse --short HEAD)" "$wall" "$user" "$(nproc)"
    # When each of the large parts was done; they overlap, as far as they do not need each other.
    sed -nE 's/^([0-9]+) \[[0-9]+\/[0-9]+\] Compiling (ArgumentParser|Yams|TripMart|TripEngine|TripRuns|TripReports) .*\.swift$/    \2 done after \1 s/p' \
        "$folder/log"
    cd - >/dev/null
    rm -rf "$folder"
done
