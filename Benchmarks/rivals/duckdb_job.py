"""The jobs by DuckDB: one streaming query over the exports, look-ups as hash joins."""

from __future__ import annotations

import duckdb

import exports

COUNTED = "WHERE status = 'completed'"
# What the exports said of the stored trips: all that rules read.
FIELDS = """
    SELECT trip_id, pickup_at, pickup_date, station, provider_npi, provider_name, vehicle, contract, hcpcs,
        modifiers, miles, paid, status
    FROM trip
"""
# Read as text where dollar signs or offsets may stand; everything else has its type at once.
LEGACY_TYPES = {name: "VARCHAR" for name in exports.LEGACY_COLUMNS} | {
    "Svc Date": "DATE", "Miles": "DECIMAL(9,2)",
}
NATIVE_TYPES = {name: "VARCHAR" for name in exports.NATIVE_COLUMNS} | {
    "loaded_miles": "DECIMAL(9,2)",
}


def reader(files: list[str], types: dict[str, str]) -> str:
    columns = ", ".join(f"'{name}': '{type}'" for name, type in types.items())
    return (
        f"read_csv({files!r}, columns = {{{columns}}}, auto_detect = false, header = true,"
        " delim = ',', quote = '\"', escape = '\"', nullstr = ['', 'NULL', 'NA'],"
        " dateformat = '%-m/%-d/%Y')"
    )


def money(column: str) -> str:
    return f"CAST(replace(replace({column}, '$', ''), ',', '') AS DECIMAL(11,2))"


def read(order: exports.Order) -> str:
    """All exports as records with one set of names; times are local to the trip's station.

    CSV files have no file_row_number; rows are counted right behind the reader, because a join keeps no
    order. One whole number for file and row: a pair of them took half as long again to compare.
    """
    return " UNION ALL ".join(
        (native if is_native else legacy)(
            files, f"row_number() OVER () + {run << 40}" if order.exact else "0")
        for run, (is_native, files) in enumerate(order.runs)
    )


def legacy(files: list[str], version: str) -> str:
    outcomes = " ".join(f"WHEN '{key}' THEN '{word}'" for key, word in exports.OUTCOMES.items())
    return f"""
        SELECT "Trip Number" AS trip_id, "Svc Date" + CAST("Svc Time" AS TIME) AS pickup_at,
            "Svc Date" AS pickup_date, upper("Facility") AS station, "VISN" AS export_visn,
            "NPI" AS provider_npi, "Provider" AS provider_name, upper("Unit") AS vehicle,
            upper("PO Number") AS contract, upper("Proc Code") AS hcpcs,
            upper(concat_ws(' ', "Mod 1", "Mod 2")) AS modifiers, "Miles" AS miles,
            upper("ICN") AS patient, {money('"Amt Billed"')} AS billed,
            {money('"Amt Paid"')} AS paid, CASE "Outcome" {outcomes} END AS status,
            version
        FROM (SELECT *, {version} AS version FROM {reader(files, LEGACY_TYPES)})
    """


def native(files: list[str], version: str) -> str:
    is_instant = "(suffix(pickup_at, 'Z') OR suffix(pickup_at, '+00:00'))"
    written = "CAST(left(pickup_at, 19) AS TIMESTAMP)"
    zone = f"coalesce(zone.time_zone, '{exports.DEFAULT_ZONE}')"
    moved = f"timezone({zone}, timezone('UTC', {written}))"
    return f"""
        SELECT trip_id, CASE WHEN {is_instant} THEN {moved} ELSE {written} END AS pickup_at,
            CASE WHEN {is_instant} THEN CAST({moved} AS DATE)
                ELSE CAST(left(pickup_at, 10) AS DATE) END AS pickup_date,
            upper(export.station) AS station, visn AS export_visn, provider_npi, provider_name,
            upper(vehicle_id) AS vehicle, upper(contract_no) AS contract, upper(hcpcs) AS hcpcs,
            upper(modifiers) AS modifiers, loaded_miles AS miles, upper(patient_icn) AS patient,
            {money('billed_amount')} AS billed, {money('paid_amount')} AS paid, status,
            version
        FROM (SELECT *, {version} AS version FROM {reader(files, NATIVE_TYPES)}) AS export
        LEFT JOIN zone ON zone.station = CASE WHEN {is_instant} THEN upper(export.station) END
    """


def joined(source: str, where: str = "") -> str:
    """The records with what is looked up for them."""
    def dated(name: str, keys: str) -> str:
        return f'LEFT JOIN {name} ON {keys} AND pickup_date BETWEEN {name}."from" AND {name}."to"'

    return f"""
        SELECT record.*, coalesce(site.region, 'UNKNOWN') AS region,
            coalesce(level.trip_type, 'OTHER') AS trip_type,
            fleet.owner AS fleet_owner, fleet.crew_employer AS fleet_crew,
            provider.owner AS provider_owner, provider.kind AS provider_kind,
            CAST(award.contract_no IS NOT NULL AS INTEGER) AS award_matched,
            CAST(award_today.contract_no IS NOT NULL AS INTEGER) AS award_today_matched,
            CAST(award_ever.contract_no IS NOT NULL AS INTEGER) AS award_ever_matched,
            CAST(contains(modifiers, 'QM') AS INTEGER) AS has_qm,
            CAST(contains(modifiers, 'QN') AS INTEGER) AS has_qn,
            CAST(starts_with(provider_name, 'VAMC ') AS INTEGER) AS name_is_va,
            CAST(contains(lower(provider_name), 'ambulance') OR suffix(lower(provider_name), ' ems')
                AS INTEGER) AS name_is_vendor,
            CAST(pickup_date >= DATE '{exports.CREW_COUNTS_FROM}' AS INTEGER) AS crew_counts
        FROM ({source}) AS record
        LEFT JOIN level ON level.code = record.hcpcs
        LEFT JOIN award_ever ON award_ever.contract_no = record.contract
        {dated('site', 'site.station = record.station')}
        {dated('fleet', 'fleet.unit = record.vehicle')}
        {dated('provider', 'provider.npi = record.provider_npi')}
        {dated('award', 'award.contract_no = record.contract AND award.station = record.station')}
        {dated('award_today', 'award_today.contract_no = record.contract')}
        {where}
    """


def cube(source: str) -> str:
    in_house = f"rule_number IN {exports.IN_HOUSE_RULES}"
    return f"""
        SELECT strftime(month, '%Y-%m') AS month, trip_type, region, count(*),
            count(*) FILTER (WHERE {in_house}),
            count(rule_number) - count(*) FILTER (WHERE {in_house}),
            count(*) - count(rule_number),
            CAST(coalesce(sum(paid), 0) * 100 AS BIGINT),
            CAST(coalesce(sum(miles), 0) * 100 AS BIGINT)
        FROM ({source}) GROUP BY ALL
    """


def main() -> None:
    order = exports.order()
    on_disk = order.stores or order.job == "plan"
    database = duckdb.connect(str(order.store / "trips.duckdb") if on_disk else ":memory:")
    database.execute(f"SET threads = {order.threads}")
    # Only where records are counted as they pass does their order matter.
    database.execute(f"SET preserve_insertion_order = {str(order.exact).lower()}")
    database.execute("SET temp_directory = '" + str(order.store / "spill") + "'")
    database.execute("SET TimeZone = 'UTC'")
    for path in sorted(order.lookups.glob("*.csv")):
        database.execute(
            f"CREATE TEMP TABLE {path.stem} AS FROM read_csv('{path}', header = true,"
            " all_varchar = true, nullstr = '')"
        )
        if path.stem in ("site", "fleet", "provider", "award", "award_today"):
            for end in ("from", "to"):
                database.execute(f'ALTER TABLE {path.stem} ALTER "{end}" TYPE DATE')
    rules = exports.rules_sql()
    slim = (f"SELECT trip_id, status, date_trunc('month', pickup_date) AS month, trip_type, region,"
            f" {rules} AS rule_number, paid, miles")
    if order.job == "plan":
        source = f"{slim} FROM ({joined(FIELDS, COUNTED)})"
    elif order.stores:
        database.execute(
            "CREATE TABLE trip AS SELECT trip_id, pickup_at, pickup_date, station, export_visn,"
            " provider_npi, provider_name, vehicle, contract, hcpcs, modifiers, miles, patient,"
            f" billed, paid, status, region, trip_type, {rules} AS rule_number, version"
            f" FROM ({joined(read(order))})"
        )
        if order.exact:
            # Few trips occur again: taking their earlier records out costs half of what a window
            # over all records does.
            database.execute("""
                DELETE FROM trip USING (
                    SELECT trip_id, max(version) AS version FROM trip
                    GROUP BY trip_id HAVING count(*) > 1
                ) AS last WHERE trip.trip_id = last.trip_id AND trip.version < last.version
            """)
        source = ("SELECT date_trunc('month', pickup_date) AS month, trip_type, region,"
                  f" rule_number, paid, miles FROM trip {COUNTED}")
    elif order.exact:
        source = f"""
            SELECT unnest(last) FROM (
                SELECT arg_max({{status: status, month: month, trip_type: trip_type,
                        region: region, rule_number: rule_number, paid: paid, miles: miles}},
                    version) AS last
                FROM ({slim}, version FROM ({joined(read(order))}))
                GROUP BY trip_id
            ) WHERE last.status = 'completed'
        """
    else:
        source = f"{slim} FROM ({joined(read(order), COUNTED)})"
    exports.write_cube(order.cube, database.execute(cube(source)).fetchall())
    database.close()


if __name__ == "__main__":
    main()
