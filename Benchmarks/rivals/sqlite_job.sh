#!/usr/bin/env bash
# The jobs by the sqlite3 shell: .import as text, then one SELECT over both layouts.
#
#     sqlite_job.sh --job JOB --exports DIR --lookups DIR --cube FILE --store DIR [--threads N]
#
# The shell has one thread; --threads is taken and has no effect.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
while (($# > 1)); do
    declare "${1#--}=$2"
    shift 2
done
command -v sqlite3 >/dev/null || { echo "the sqlite3 shell is missing: apt-get install sqlite3" >&2; exit 1; }

legacy=() native=()
for file in "$exports"/claims_*.csv*; do
    if [[ $file == *.gz ]]; then header=$(gzip -dc "$file" | head -n 1 || true); else header=$(head -n 1 "$file"); fi
    case ${header%$'\r'} in
        "Trip Number,"*)
            # What was imported later counts as later; a legacy export after a native one would not be.
            ((${#native[@]} == 0)) || { echo "legacy exports stand after native ones" >&2; exit 1; }
            legacy+=("$file") ;;
        trip_id,*) native+=("$file") ;;
        *) echo "$(basename "$file"): neither layout has this header" >&2; exit 1 ;;
    esac
done

import() { # TABLE FILE…: one .import per export, packed ones through gzip
    local table=$1 file
    shift
    for file in "$@"; do
        if [[ $file == *.gz ]]; then
            echo ".import --csv --skip 1 --schema raw \"|gzip -dc '$file'\" $table"
        else
            echo ".import --csv --skip 1 --schema raw '$file' $table"
        fi
    done
}
lookup() { # NAME COLUMNS KEY
    echo "CREATE TEMP TABLE $1 ($2, PRIMARY KEY ($3)) WITHOUT ROWID;"
    echo ".import --csv --skip 1 --schema temp '$lookups/$1.csv' $1"
}
null() { echo "CASE WHEN $1 NOT IN ('', 'NULL', 'NA') THEN $1 END"; }
money() { echo "CASE WHEN $1 <> '' THEN CAST(round(CAST(replace(replace($1, '\$', ''), ',', '') AS REAL) * 100) AS INTEGER) END"; }
dated() { echo "LEFT JOIN $1 ON $2 AND pickup_date BETWEEN $1.\"from\" AND $1.\"to\""; }

moved="datetime(substr(pickup_at, 1, 19), (SELECT minutes FROM zone_span WHERE time_zone =
    coalesce((SELECT time_zone FROM zone WHERE zone.station = upper(raw.native.station)), 'America/New_York')
    AND from_utc <= datetime(substr(pickup_at, 1, 19)) AND to_utc > datetime(substr(pickup_at, 1, 19)))
    || ' minutes')"
rest="substr(svc_date, instr(svc_date, '/') + 1)"
record="
    SELECT rowid AS version, trip_number AS trip_id,
        printf('%s-%02d-%02d %02d:%s:00', substr(svc_date, -4), CAST(svc_date AS INTEGER), CAST($rest AS INTEGER),
            CAST(svc_time AS INTEGER), substr(svc_time, -2)) AS pickup_at,
        printf('%s-%02d-%02d', substr(svc_date, -4), CAST(svc_date AS INTEGER), CAST($rest AS INTEGER)) AS pickup_date,
        upper($(null facility)) AS station, visn AS export_visn, $(null npi) AS provider_npi,
        $(null provider) AS provider_name, upper($(null unit)) AS vehicle, upper($(null po_number)) AS contract,
        upper($(null proc_code)) AS hcpcs, upper(mod_1 || ' ' || mod_2) AS modifiers,
        CASE WHEN miles <> '' THEN CAST(round(CAST(miles AS REAL) * 100) AS INTEGER) END AS miles,
        upper(icn) AS patient, $(money amt_billed) AS billed, $(money amt_paid) AS paid,
        CASE outcome WHEN 'C' THEN 'completed' WHEN 'X' THEN 'cancelled' WHEN 'D' THEN 'dry_run'
            WHEN 'N' THEN 'no_show' ELSE 'other' END AS status
    FROM raw.legacy
    UNION ALL
    SELECT rowid + (SELECT coalesce(max(rowid), 0) FROM raw.legacy), trip_id,
        CASE WHEN pickup_at GLOB '*Z' OR pickup_at GLOB '*+00:00' THEN $moved ELSE replace(substr(pickup_at, 1, 19), 'T', ' ') END,
        CASE WHEN pickup_at GLOB '*Z' OR pickup_at GLOB '*+00:00' THEN substr($moved, 1, 10) ELSE substr(pickup_at, 1, 10) END,
        upper($(null station)), visn, $(null provider_npi), $(null provider_name), upper($(null vehicle_id)),
        upper($(null contract_no)), upper($(null hcpcs)), upper(modifiers),
        CASE WHEN loaded_miles <> '' THEN CAST(round(CAST(loaded_miles AS REAL) * 100) AS INTEGER) END,
        upper(patient_icn), $(money billed_amount), $(money paid_amount), status
    FROM raw.native"
joined="
    SELECT record.*, coalesce(site.region, 'UNKNOWN') AS region, coalesce(level.trip_type, 'OTHER') AS trip_type,
        fleet.owner AS fleet_owner, fleet.crew_employer AS fleet_crew,
        provider.owner AS provider_owner, provider.kind AS provider_kind,
        award.contract_no IS NOT NULL AS award_matched, award_today.contract_no IS NOT NULL AS award_today_matched,
        award_ever.contract_no IS NOT NULL AS award_ever_matched,
        instr(modifiers, 'QM') > 0 AS has_qm, instr(modifiers, 'QN') > 0 AS has_qn,
        provider_name GLOB 'VAMC *' AS name_is_va,
        provider_name LIKE '%ambulance%' OR provider_name LIKE '% EMS' AS name_is_vendor,
        pickup_date >= '2025-10-01' AS crew_counts
    FROM ($record) AS record
    LEFT JOIN level ON level.code = record.hcpcs
    LEFT JOIN award_ever ON award_ever.contract_no = record.contract
    $(dated site 'site.station = record.station')
    $(dated fleet 'fleet.unit = record.vehicle')
    $(dated provider 'provider.npi = record.provider_npi')
    $(dated award 'award.contract_no = record.contract AND award.station = record.station')
    $(dated award_today 'award_today.contract_no = record.contract')"
# Of several records of one trip the last imported.
last=""
[[ $job != *-exact ]] || last="WHERE version IN (SELECT max(version) FROM (
    SELECT rowid AS version, trip_number AS trip_id FROM raw.legacy UNION ALL
    SELECT rowid + (SELECT coalesce(max(rowid), 0) FROM raw.legacy), trip_id FROM raw.native) GROUP BY trip_id)"
kept="trip_id, pickup_at, pickup_date, station, export_visn, provider_npi, provider_name, vehicle, contract, hcpcs,
    modifiers, miles, patient, billed, paid, status, region, trip_type"
trips="SELECT $kept, $(grep -v '^--' "$here/rules.sql") AS rule_number FROM ($joined) $last"
in_house="coalesce(sum(rule_number IN (3, 4, 15, 18, 19)), 0)"

database="$store/trips.sqlite"
[[ $job == store* ]] || database=":memory:"
{
    echo "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;"
    echo "ATTACH '$store/raw.sqlite' AS raw; PRAGMA raw.journal_mode = OFF; PRAGMA raw.synchronous = OFF;"
    echo "CREATE TABLE raw.legacy (trip_number TEXT, svc_date TEXT, svc_time TEXT, facility TEXT, visn TEXT, unit TEXT,
        po_number TEXT, npi TEXT, provider TEXT, proc_code TEXT, mod_1 TEXT, mod_2 TEXT, miles TEXT, icn TEXT,
        amt_billed TEXT, amt_paid TEXT, outcome TEXT);"
    echo "CREATE TABLE raw.native (trip_id TEXT, pickup_at TEXT, station TEXT, visn TEXT, provider_npi TEXT,
        provider_name TEXT, vehicle_id TEXT, contract_no TEXT, hcpcs TEXT, modifiers TEXT, loaded_miles TEXT,
        patient_icn TEXT, billed_amount TEXT, paid_amount TEXT, status TEXT);"
    lookup site 'station TEXT, "from" TEXT, "to" TEXT, region TEXT' 'station, "from"'
    lookup fleet 'unit TEXT, "from" TEXT, "to" TEXT, owner TEXT, crew_employer TEXT' 'unit, "from"'
    lookup provider 'npi TEXT, "from" TEXT, "to" TEXT, owner TEXT, kind TEXT' 'npi, "from"'
    lookup award 'contract_no TEXT, station TEXT, "from" TEXT, "to" TEXT' 'contract_no, station, "from"'
    lookup award_today 'contract_no TEXT, "from" TEXT, "to" TEXT' 'contract_no, "from"'
    lookup award_ever 'contract_no TEXT' 'contract_no'
    lookup level 'code TEXT, trip_type TEXT' 'code'
    lookup zone 'station TEXT, time_zone TEXT' 'station'
    lookup zone_span 'time_zone TEXT, from_utc TEXT, to_utc TEXT, minutes INTEGER' 'time_zone, from_utc'
    import legacy "${legacy[@]}"
    import native "${native[@]}"
    if [[ $job == store* ]]; then
        echo "CREATE TABLE trip AS $trips;"
        echo "CREATE INDEX trip_by_id ON trip (trip_id); CREATE INDEX trip_by_pickup ON trip (pickup_at);"
        trips="SELECT * FROM trip"
    fi
    echo ".mode csv"
    echo ".headers on"
    echo ".separator , \"\\n\""
    echo ".once '$cube'"
    echo "SELECT substr(pickup_date, 1, 7) AS month, trip_type, region, count(*) AS trips, $in_house AS in_house,
        count(rule_number) - $in_house AS contracted, count(*) - count(rule_number) AS undetermined,
        coalesce(sum(paid), 0) AS cost_cents, coalesce(sum(miles), 0) AS miles_hundredths
        FROM ($trips) WHERE status = 'completed' GROUP BY 1, 2, 3;"
} >"$store/job.sql"
sqlite3 -batch "$database" <"$store/job.sql" >"$store/job.log"
rm -f "$store/raw.sqlite" "$store/job.sql" "$store/job.log"
