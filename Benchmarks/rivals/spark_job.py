"""The job by PySpark as its users write it: spark.read.csv, joins, CASE, a window for the last
record, a rollup.

    spark_job.py --exports DIR --lookups DIR --cube FILE --store DIR --master local[2]
    [--multi-line] [--conf K=V]

Spark gives rows no number: their order is that of `monotonically_increasing_id`, as answers on the
matter advise.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

import exports


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("exports", "lookups", "cube", "store"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--master", default="local[2]")
    parser.add_argument(
        "--multi-line", action="store_true", help="read records over line breaks, one task a file"
    )
    parser.add_argument("--conf", action="append", default=[])
    return parser.parse_args()


def read(spark: SparkSession, files: list[str], multi_line: bool) -> DataFrame:
    reader = spark.read.option("header", True).option("escape", '"').option("nullValue", "NULL")
    frame = reader.option("multiLine", multi_line).csv(files)
    return frame.withColumn("record", sql.monotonically_increasing_id()).withColumn(
        "delivered", sql.regexp_extract(sql.input_file_name(), r"claims_(\d{8})", 1)
    )


def money(column: str) -> str:
    return f"CAST(regexp_replace({column}, '[$,]', '') AS DECIMAL(11,2))"


def known(column: str) -> str:
    return f"nullif(nullif(upper({column}), 'NA'), '')"


def legacy() -> str:
    outcomes = " ".join(f"WHEN '{key}' THEN '{word}'" for key, word in exports.OUTCOMES.items())
    return f"""
        SELECT `Trip Number` AS trip_id, to_date(`Svc Date`, 'M/d/yyyy') AS pickup_date, {known("`Facility`")} AS station,
            {known("`NPI`")} AS provider_npi, nullif(`Provider`, 'NA') AS provider_name, {known("`Unit`")} AS vehicle,
            {known("`PO Number`")} AS contract, {known("`Proc Code`")} AS hcpcs,
            upper(concat_ws(' ', `Mod 1`, `Mod 2`)) AS modifiers, CAST(`Miles` AS DECIMAL(9,2)) AS miles,
            {money("`Amt Paid`")} AS paid, CASE `Outcome` {outcomes} END AS status, record, delivered
        FROM legacy
    """


def native() -> str:
    is_instant = "(pickup_at LIKE '%Z' OR pickup_at LIKE '%+00:00')"
    moved = f"from_utc_timestamp(to_timestamp(left(pickup_at, 19)), coalesce(zone.time_zone, '{exports.DEFAULT_ZONE}'))"
    return f"""
        SELECT trip_id, CASE WHEN {is_instant} THEN to_date({moved}) ELSE to_date(left(pickup_at, 10)) END AS pickup_date,
            {known("native.station")} AS station, {known("provider_npi")} AS provider_npi,
            nullif(provider_name, 'NA') AS provider_name, {known("vehicle_id")} AS vehicle,
            {known("contract_no")} AS contract, {known("hcpcs")} AS hcpcs, upper(modifiers) AS modifiers,
            CAST(loaded_miles AS DECIMAL(9,2)) AS miles, {money("paid_amount")} AS paid, status, record, delivered
        FROM native LEFT JOIN zone ON zone.station = upper(native.station)
    """


def joined() -> str:
    def dated(name: str, keys: str) -> str:
        return f"LEFT JOIN {name} ON {keys} AND pickup_date BETWEEN {name}.from AND {name}.to"

    return f"""
        SELECT last.*, coalesce(site.region, 'UNKNOWN') AS region, coalesce(level.trip_type, 'OTHER') AS trip_type,
            fleet.owner AS fleet_owner, fleet.crew_employer AS fleet_crew, provider.owner AS provider_owner,
            provider.kind AS provider_kind, CAST(award.contract_no IS NOT NULL AS INT) AS award_matched,
            CAST(award_today.contract_no IS NOT NULL AS INT) AS award_today_matched,
            CAST(award_ever.contract_no IS NOT NULL AS INT) AS award_ever_matched,
            CAST(contains(modifiers, 'QM') AS INT) AS has_qm, CAST(contains(modifiers, 'QN') AS INT) AS has_qn,
            CAST(startswith(provider_name, 'VAMC ') AS INT) AS name_is_va,
            CAST(contains(lower(provider_name), 'ambulance') OR endswith(lower(provider_name), ' ems') AS INT)
                AS name_is_vendor,
            CAST(pickup_date >= DATE '{exports.CREW_COUNTS_FROM}' AS INT) AS crew_counts
        FROM last
        LEFT JOIN level ON level.code = last.hcpcs
        LEFT JOIN award_ever ON award_ever.contract_no = last.contract
        {dated("site", "site.station = last.station")}
        {dated("fleet", "fleet.unit = last.vehicle")}
        {dated("provider", "provider.npi = last.provider_npi")}
        {dated("award", "award.contract_no = last.contract AND award.station = last.station")}
        {dated("award_today", "award_today.contract_no = last.contract")}
    """


def cube(rules: str) -> str:
    in_house = f"rule_number IN {exports.IN_HOUSE_RULES}"
    return f"""
        SELECT month, trip_type, region, count(*) AS trips, count_if({in_house}) AS in_house,
            count(rule_number) - count_if({in_house}) AS contracted, count(*) - count(rule_number) AS undetermined,
            CAST(coalesce(sum(paid), 0) * 100 AS BIGINT) AS cents, CAST(coalesce(sum(miles), 0) * 100 AS BIGINT) AS miles,
            grouping_id() AS level
        FROM (SELECT *, date_format(pickup_date, 'yyyy-MM') AS month, {rules} AS rule_number FROM joined)
        GROUP BY ROLLUP (month, trip_type, region)
    """


def main() -> None:
    chosen = words()
    builder = (
        SparkSession.builder.master(chosen.master)
        .appName("plain")
        .config("spark.sql.ansi.enabled", "false")
    )
    for setting in ["spark.ui.enabled=false", "spark.ui.showConsoleProgress=false", *chosen.conf]:
        name, _, value = setting.partition("=")
        builder = builder.config(name, value)
    spark = builder.config("spark.local.dir", str(chosen.store / "scratch")).getOrCreate()
    legacy_files, native_files = exports.by_layout(chosen.exports)
    parts = []
    for name, files, text in (("legacy", legacy_files, legacy), ("native", native_files, native)):
        if files:
            read(spark, files, chosen.multi_line).createOrReplaceTempView(name)
            parts.append(text)
    for path in sorted(chosen.lookups.glob("*.csv")):
        spark.read.option("header", True).csv(str(path)).createOrReplaceTempView(path.stem)
    records = " UNION ALL ".join(text() for text in parts)
    spark.sql(f"""
        SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY trip_id ORDER BY delivered DESC, record DESC) AS place
            FROM ({records})) WHERE place = 1 AND status = 'completed'
    """).createOrReplaceTempView("last")
    spark.sql(joined()).createOrReplaceTempView("joined")
    cells = spark.sql(cube(exports.rules_sql())).collect()
    exports.write_cube(chosen.cube, [row[:9] for row in cells if row["level"] == 0])
    spark.stop()


if __name__ == "__main__":
    main()
