#!/usr/bin/env bash
# Measures one whole night: generated exports to a published generation.
#
#     TRIPS=10000000 MONTHS=24 GZIP=1 KEEP=1 Benchmarks/night.sh
#
# TRIPS and MONTHS say how much is generated (1,000,000 over 24 months), GZIP=1 compresses it,
# THREADS limits the threads, FOLDER says where it happens (a temporary folder), KEEP=1 keeps it.
set -euo pipefail
cd "$(dirname "$0")/.."

program=${TRIPTYCH_PROGRAM:-${BUILT:-.build/release}/triptych}
trips=${TRIPS:-1000000}
months=${MONTHS:-24}
folder=${FOLDER:-$(mktemp -d)}
[[ -n ${KEEP:-} || -n ${FOLDER:-} ]] || trap 'rm -rf "$folder"' EXIT
[[ -x $program ]] || { echo "$program is missing: swift build -c release --product triptych" >&2; exit 1; }

generate=("$program" generate --out "$folder/exports" --trips "$trips" --months "$months" --seed 1)
[[ -z ${GZIP:-} ]] || generate+=(--gzip)
run=("$program" run pipelines/ambulance --mart "$folder/mart"
    --input "$folder/exports" --reference "$folder/exports/reference")
[[ -z ${THREADS:-} ]] || run+=(--threads "$THREADS")

"${generate[@]}" >/dev/null
bytes=$(du -sb "$folder/exports" | cut -f 1)

status=0
start=$(date +%s%N)
if [[ -x /usr/bin/time ]]; then
    /usr/bin/time -f '%M %U %S' -o "$folder/time" "${run[@]}" 2>"$folder/night.log" || status=$?
else
    "${run[@]}" 2>"$folder/night.log" || status=$?
fi
end=$(date +%s%N)
# 0 and 10 publish; anything else is no measurement.
if ((status != 0 && status != 10)); then
    cat "$folder/night.log" >&2
    exit "$status"
fi

milliseconds=$(((end - start) / 1000000))
peak="not measured"
cpu=""
if [[ -s $folder/time ]]; then
    # A status other than 0 gets a line of its own before the figures.
    read -r kilobytes user system < <(tail -n 1 "$folder/time")
    peak="$((kilobytes / 1024)) MiB"
    cpu=", $user s user, $system s system"
fi
printf '%s trips, %s MB of exports%s, %s processors\n' "$trips" "$((bytes / 1000000))" \
    "${GZIP:+ (gzip)}" "$(nproc)"
printf 'wall  %d.%03d s%s\n' $((milliseconds / 1000)) $((milliseconds % 1000)) "$cpu"
printf 'peak  %s\n' "$peak"
printf 'rate  %d trips/s\n' $((trips * 1000 / milliseconds))
printf 'mart  %s MB\n' "$(($(du -sb "$folder/mart" | cut -f 1) / 1000000))"
