"""The jobs by ClickHouse inside the process (chdb): look-ups as range dictionaries."""

from __future__ import annotations

import json

from chdb import session

import exports

LEGACY_TYPES = {name: "String" for name in exports.LEGACY_COLUMNS} | {
    "Miles": "Nullable(Decimal(9, 2))"}
NATIVE_TYPES = {name: "String" for name in exports.NATIVE_COLUMNS} | {
    "loaded_miles": "Nullable(Decimal(9, 2))"}
# Each look-up with its key and what it gives; all but `level`, `award_ever` and `zone` hold by day.
LOOKUPS = {
    "site": (["station"], ["region"]),
    "fleet": (["unit"], ["owner", "crew_employer"]),
    "provider": (["npi"], ["owner", "kind"]),
    "award": (["contract_no", "station"], []),
    "award_today": (["contract_no"], []),
    "award_ever": (["contract_no"], []),
    "level": (["code"], ["trip_type"]),
    "zone": (["station"], ["time_zone"]),
}
# The day of export in the file's name, then the record's place in the file, as one whole number.
VERSION = "bitShiftLeft(toUInt64(substring(_file, 8, 8)), 36) + _row_number"
UNDATED = ("award_ever", "level", "zone")


def source(files: list[str], types: dict[str, str]) -> str:
    columns = ", ".join(f"`{name}` {type}" for name, type in types.items())
    folder = files[0].rsplit("/", 1)[0]
    names = ",".join(file.rsplit("/", 1)[1] for file in files)
    pattern = f"{folder}/{{{names}}}" if len(files) > 1 else files[0]
    return f"file('{pattern}', CSVWithNames, {json.dumps(columns)})".replace('"', "'")


def text(column: str, upper: bool = False) -> str:
    word = f"upper(`{column}`)" if upper else f"`{column}`"
    return f"if({word} IN ('NULL', 'NA'), '', {word})"


def money(column: str) -> str:
    return f"toDecimal64OrNull(replaceAll(replaceAll(`{column}`, '$', ''), ',', ''), 2)"


def read(order: exports.Order) -> str:
    """Both layouts as records with one set of names; a blank text is '', as ClickHouse has it."""
    outcomes = f"transform(`Outcome`, {list(exports.OUTCOMES)}, {list(exports.OUTCOMES.values())}, '')"
    instant = "endsWith(pickup_at, 'Z') OR endsWith(pickup_at, '+00:00')"
    zone = f"dictGetOrDefault('zone', 'time_zone', tuple({text('station', True)})," \
        f" '{exports.DEFAULT_ZONE}')"
    moved = f"formatDateTime(toDateTime(replaceOne(left(pickup_at, 19), 'T', ' '), 'UTC')," \
        f" '%Y-%m-%d %H:%i:%S', {zone})"
    local = f"if({instant}, {moved}, replaceOne(left(pickup_at, 19), 'T', ' '))"
    return f"""
        SELECT `Trip Number` AS trip_id,
            parseDateTime(concat(`Svc Date`, ' ', `Svc Time`), '%c/%e/%Y %k:%i', 'UTC') AS at,
            toDate32(parseDateTime(`Svc Date`, '%c/%e/%Y', 'UTC')) AS pickup_date,
            {text('Facility', True)} AS station, `VISN` AS export_visn,
            {text('NPI')} AS provider_npi, {text('Provider')} AS provider_name,
            {text('Unit', True)} AS vehicle, {text('PO Number', True)} AS contract,
            {text('Proc Code', True)} AS hcpcs,
            upper(concat(`Mod 1`, ' ', `Mod 2`)) AS modifiers, `Miles` AS miles,
            upper(`ICN`) AS patient, {money('Amt Billed')} AS billed, {money('Amt Paid')} AS paid,
            {outcomes} AS status, {VERSION} AS version
        FROM {source(order.legacy, LEGACY_TYPES)}
        UNION ALL
        SELECT trip_id,
            toDateTime({local}, 'UTC') AS at,
            toDate32(left({local}, 10)) AS pickup_date,
            {text('station', True)}, visn, {text('provider_npi')}, {text('provider_name')},
            {text('vehicle_id', True)}, {text('contract_no', True)}, {text('hcpcs', True)},
            upper(modifiers), loaded_miles, upper(patient_icn),
            {money('billed_amount')}, {money('paid_amount')}, status, {VERSION}
        FROM {source(order.native, NATIVE_TYPES)}
    """


def joined(records: str, where: str = "") -> str:
    """The records with what is looked up for them, in the words of rules.sql."""
    def get(name: str, value: str, key: str) -> str:
        return f"dictGetOrNull('{name}', '{value}', tuple({key}), pickup_date)"

    def has(name: str, key: str, dated: bool = True) -> str:
        return f"dictHas('{name}', tuple({key}){', pickup_date' if dated else ''})"

    return f"""
        SELECT * REPLACE (nullIf(contract, '') AS contract, nullIf(provider_npi, '') AS provider_npi,
                nullIf(provider_name, '') AS provider_name),
            coalesce({get('site', 'region', 'records.station')}, 'UNKNOWN') AS region,
            dictGetOrDefault('level', 'trip_type', tuple(records.hcpcs), 'OTHER') AS trip_type,
            {get('fleet', 'owner', 'records.vehicle')} AS fleet_owner,
            {get('fleet', 'crew_employer', 'records.vehicle')} AS fleet_crew,
            {get('provider', 'owner', 'records.provider_npi')} AS provider_owner,
            {get('provider', 'kind', 'records.provider_npi')} AS provider_kind,
            {has('award', 'records.contract, records.station')} AS award_matched,
            {has('award_today', 'records.contract')} AS award_today_matched,
            {has('award_ever', 'records.contract', False)} AS award_ever_matched,
            position(modifiers, 'QM') > 0 AS has_qm, position(modifiers, 'QN') > 0 AS has_qn,
            startsWith(records.provider_name, 'VAMC ') AS name_is_va,
            positionCaseInsensitive(records.provider_name, 'ambulance') > 0
                OR endsWith(upper(records.provider_name), ' EMS') AS name_is_vendor,
            pickup_date >= toDate32('{exports.CREW_COUNTS_FROM}') AS crew_counts
        FROM ({records}) AS records {where}
    """


def cube(trips: str) -> str:
    in_house = f"countIf(rule_number IN {exports.IN_HOUSE_RULES})"
    return f"""
        SELECT formatDateTime(month, '%Y-%m'), trip_type, region, count(), {in_house} AS in_house,
            count(rule_number) - in_house, count() - count(rule_number),
            toInt64(coalesce(sum(paid), 0) * 100), toInt64(coalesce(sum(miles), 0) * 100)
        FROM ({trips}) GROUP BY month, trip_type, region
    """


def prepare(database: session.Session, order: exports.Order) -> None:
    for name, (keys, values) in LOOKUPS.items():
        days = [] if name in UNDATED else ["`from` Date32", "`to` Date32"]
        layout = ("complex_key_hashed()" if name in UNDATED
                  else "complex_key_range_hashed()) RANGE(MIN `from` MAX `to`")
        columns = [f"{key} String" for key in keys] + days + [f"{value} String" for value in values]
        typed = ", ".join(columns)
        # A dictionary gives at least one value; without any it is only asked whether it has a key.
        found = "" if values else ", found UInt8 DEFAULT 1"
        # From a table, because a dictionary may not read a file outside the session's own folder.
        database.query(
            f"CREATE TABLE bench.{name}_row ({typed}{found}) ENGINE = Memory AS"
            f" SELECT *{'' if values else ', 1 AS found'}"
            f" FROM file('{order.lookups}/{name}.csv', CSVWithNames, '{typed}')"
        )
        database.query(
            f"CREATE DICTIONARY bench.{name} ({typed}{found}) PRIMARY KEY {', '.join(keys)}"
            f" SOURCE(CLICKHOUSE(DB 'bench' TABLE '{name}_row')) LAYOUT({layout}) LIFETIME(0)"
        )


def main() -> None:
    order = exports.order()
    # All of the session lies in memory, but for the table of the store jobs.
    database = session.Session(str(order.store / "clickhouse")) if order.stores else session.Session()
    database.query("CREATE DATABASE IF NOT EXISTS bench")
    database.query("USE bench")
    database.query(f"SET max_threads = {order.threads}, max_insert_threads = {order.threads}")
    prepare(database, order)
    counted = "status = 'completed'"
    rules = exports.rules_sql()
    slim = "toStartOfMonth(pickup_date) AS month, trip_type, region, rule_number, paid, miles"
    trips = f"SELECT *, {rules} AS rule_number FROM ({joined(read(order))})"
    if order.stores:
        kept = ("trip_id, at, pickup_date, station, export_visn, provider_npi, provider_name, vehicle,"
                " contract, hcpcs, modifiers, miles, patient, billed, paid, status, region, trip_type,"
                " rule_number")
        last = "ORDER BY version DESC LIMIT 1 BY trip_id" if order.exact else ""
        database.query(
            f"CREATE TABLE trip ENGINE = MergeTree ORDER BY (at, trip_id) AS"
            f" SELECT {kept} FROM ({trips}) {last}"
        )
        slim_trips = f"SELECT {slim} FROM trip WHERE {counted}"
    elif order.exact:
        slim_trips = f"""
            SELECT last.1 AS status, last.2 AS month, last.3 AS trip_type, last.4 AS region,
                last.5 AS rule_number, last.6 AS paid, last.7 AS miles
            FROM (SELECT argMax((status, toStartOfMonth(pickup_date), trip_type, region, rule_number,
                    paid, miles), version) AS last
                FROM ({trips}) GROUP BY trip_id)
            WHERE {counted}
        """
    else:
        slim_trips = f"SELECT {slim} FROM ({trips}) WHERE {counted}"
    answer = database.query(cube(slim_trips), "JSONCompact")
    exports.write_cube(order.cube, json.loads(str(answer))["data"])
    database.close()


if __name__ == "__main__":
    main()
