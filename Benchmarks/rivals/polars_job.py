"""The jobs by Polars: lazy, streaming, look-ups as hash joins with the spans of a key side by side."""

from __future__ import annotations

import os
from pathlib import Path

import exports

ORDER = exports.order()
# Polars reads this when it is imported.
os.environ["POLARS_MAX_THREADS"] = str(ORDER.threads)

import polars as pl  # noqa: E402

TIME = "%Y-%m-%dT%H:%M:%S"
WORDS = ["trip_id", "station", "export_visn", "provider_npi", "provider_name", "vehicle", "contract",
         "hcpcs", "patient"]
LEGACY_NAMES = dict(zip(WORDS, ["Trip Number", "Facility", "VISN", "NPI", "Provider", "Unit",
                                "PO Number", "Proc Code", "ICN"]))
NATIVE_NAMES = dict(zip(WORDS, ["trip_id", "station", "visn", "provider_npi", "provider_name",
                                "vehicle_id", "contract_no", "hcpcs", "patient_icn"]))
UPPER = {"station", "vehicle", "contract", "hcpcs", "patient"}


def scan(files: list[str], columns: list[str], miles: str) -> pl.LazyFrame:
    schema = {name: pl.Float64 if name == miles else pl.String for name in columns}
    return pl.scan_csv(files, schema=schema, null_values=["NULL", "NA"], glob=False,
                       row_index_name="version" if ORDER.exact else None)


def money(column: str) -> pl.Expr:
    digits = (pl.col(column).str.replace_all("$", "", literal=True)
              .str.replace_all(",", "", literal=True))
    return (digits.cast(pl.Float64) * 100).round().cast(pl.Int64)


def texts(names: dict[str, str]) -> list[pl.Expr]:
    return [
        (pl.col(column).str.to_uppercase() if word in UPPER else pl.col(column)).alias(word)
        for word, column in names.items()
    ]


def version(run: int) -> list[pl.Expr]:
    """Where a record stands in the order of all exports: its run of files, and its place in that."""
    return [pl.col("version").cast(pl.Int64) + (run << 40)] if ORDER.exact else []


def latest(trips: pl.LazyFrame) -> pl.LazyFrame:
    """The last record of each trip.

    Not `unique(keep="last")`: what comes before an unordered sink loses its order, and then another
    record than the last one stays (Polars 2.1, seen on these exports).
    """
    kept = pl.exclude("trip_id", "version")
    return trips.group_by("trip_id").agg(kept.max_by("version"))


def legacy(files: list[str], run: int) -> pl.LazyFrame:
    day = pl.col("Svc Date").str.to_date("%m/%d/%Y")
    time = (pl.col("Svc Date") + " " + pl.col("Svc Time")).str.to_datetime("%m/%d/%Y %H:%M")
    return scan(files, exports.LEGACY_COLUMNS, "Miles").select(
        *version(run), *texts(LEGACY_NAMES),
        (time if ORDER.stores else day).alias("pickup_at"),
        pl.concat_str("Mod 1", "Mod 2", separator=" ", ignore_nulls=True).str.to_uppercase()
        .alias("modifiers"),
        (pl.col("Miles") * 100).round().cast(pl.Int64).alias("miles"),
        money("Amt Billed").alias("billed"), money("Amt Paid").alias("paid"),
        pl.col("Outcome").replace_strict(exports.OUTCOMES, return_dtype=pl.String).alias("status"),
    )


def native(files: list[str], run: int) -> pl.LazyFrame:
    kind = pl.Datetime("us") if ORDER.stores else pl.Date
    at = pl.struct("pickup_at", "station").map_batches(
        local_times, return_dtype=kind, is_elementwise=True)
    return scan(files, exports.NATIVE_COLUMNS, "loaded_miles").select(
        *version(run), *texts(NATIVE_NAMES), at.alias("pickup_at"),
        pl.col("modifiers").str.to_uppercase(),
        (pl.col("loaded_miles") * 100).round().cast(pl.Int64).alias("miles"),
        money("billed_amount").alias("billed"), money("paid_amount").alias("paid"),
        "status",
    )


def local_times(export: pl.Series) -> pl.Series:
    """Local times (days, where they are enough); the few instants are moved to their station's zone."""
    written = export.struct.field("pickup_at")
    local = (written.str.head(19).str.to_datetime(TIME) if ORDER.stores
             else written.str.head(10).str.to_date("%Y-%m-%d"))
    is_instant = written.str.ends_with("Z") | written.str.ends_with("+00:00")
    if not is_instant.any():
        return local
    # One look-up of offsets for all zones: a conversion for each would be fourteen calls a batch.
    instants = pl.DataFrame({
        "index": is_instant.arg_true(),
        "station": export.struct.field("station").filter(is_instant).str.to_uppercase(),
        "at": written.filter(is_instant).str.head(19).str.to_datetime(TIME),
    }).join(ZONES, on="station", how="left").with_columns(
        pl.col("time_zone").fill_null(exports.DEFAULT_ZONE)).sort("at")
    moved = instants.join_asof(
        ZONE_SPANS, left_on="at", right_on="from_utc", by="time_zone", check_sortedness=False
    ).select("index", pl.col("at") + pl.duration(minutes="minutes"))
    return local.scatter(moved["index"], moved["at"].cast(local.dtype))


def lookup(name: str) -> pl.DataFrame:
    return pl.read_csv(ORDER.lookups / f"{name}.csv", infer_schema=False)


def dated(trips: pl.LazyFrame, name: str, match: dict[str, str], values: list[str]) -> pl.LazyFrame:
    """Joins a look-up by key alone, the second span of a key beside the first, and picks by day.

    Few keys have more than one span; this keeps the join a plain one, without a row more.
    """
    keys = list(match.values())
    numbered = lookup(name).with_columns(
        pl.col("from", "to").str.to_date("%Y-%m-%d"), pl.lit(1, dtype=pl.Int32).alias("matched"),
        number=pl.int_range(pl.len()).over(keys, order_by="from"))
    count = numbered["number"].max() + 1
    wide = numbered.select(keys).unique()
    for number in range(count):
        wide = wide.join(
            numbered.filter(number=number).drop("number"), on=keys, how="left", suffix="_")
        wide = wide.rename({word: f"{name}_{word}_{number}"
                            for word in ["from", "to", "matched", *values]})
    day = pl.col("pickup_date")
    joined = trips.join(wide.lazy(), left_on=list(match), right_on=keys, how="left")
    return joined.with_columns(
        pl.coalesce(
            pl.when(day.is_between(pl.col(f"{name}_from_{n}"), pl.col(f"{name}_to_{n}")))
            .then(pl.col(f"{name}_{value}_{n}")) for n in range(count)
        ).alias(f"{name}_{value}")
        for value in ["matched", *values]
    )


def classified(trips: pl.LazyFrame) -> pl.LazyFrame:
    trips = trips.with_columns(pickup_date=pl.col("pickup_at").cast(pl.Date))
    trips = trips.join(lookup("level").lazy(), left_on="hcpcs", right_on="code", how="left")
    ever = lookup("award_ever").lazy().with_columns(award_ever_matched=1)
    trips = trips.join(ever, left_on="contract", right_on="contract_no", how="left")
    trips = dated(trips, "site", {"station": "station"}, ["region"])
    trips = dated(trips, "fleet", {"vehicle": "unit"}, ["owner", "crew_employer"])
    trips = dated(trips, "provider", {"provider_npi": "npi"}, ["owner", "kind"])
    trips = dated(trips, "award", {"contract": "contract_no", "station": "station"}, [])
    trips = dated(trips, "award_today", {"contract": "contract_no"}, [])
    matched = ["award_matched", "award_today_matched", "award_ever_matched"]
    return trips.with_columns(
        pl.col(matched).fill_null(0),
        region=pl.col("site_region").fill_null("UNKNOWN"),
        trip_type=pl.col("trip_type").fill_null("OTHER"),
        fleet_crew=pl.col("fleet_crew_employer"),
        has_qm=pl.col("modifiers").str.contains("QM", literal=True).cast(pl.Int32),
        has_qn=pl.col("modifiers").str.contains("QN", literal=True).cast(pl.Int32),
        name_is_va=pl.col("provider_name").str.starts_with("VAMC ").cast(pl.Int32),
        # One expression, one pass: lower case, as the others have it, would be a text more.
        name_is_vendor=pl.col("provider_name").str.contains("(?i)ambulance| ems$").cast(pl.Int32),
        crew_counts=(pl.col("pickup_date") >= pl.lit(exports.CREW_COUNTS_FROM).str.to_date())
        .cast(pl.Int32),
    ).with_columns(rule_number=pl.sql_expr(exports.rules_sql()).cast(pl.Int32))


def cube(trips: pl.LazyFrame) -> pl.DataFrame:
    rule = pl.col("rule_number")
    in_house = rule.is_in(exports.IN_HOUSE_RULES).sum()
    return trips.group_by(
        pl.col("pickup_date").dt.month_start().alias("month"), "trip_type", "region",
    ).agg(
        trips=pl.len(), in_house=in_house, contracted=rule.count() - in_house,
        undetermined=rule.null_count(), cost_cents=pl.col("paid").sum(),
        miles_hundredths=pl.col("miles").sum(),
    ).with_columns(pl.col("month").dt.strftime("%Y-%m")).collect(engine="streaming")


def main() -> None:
    trips = pl.concat([
        native(files, run) if is_native else legacy(files, run)
        for run, (is_native, files) in enumerate(ORDER.runs)
    ], how="diagonal")
    counted = pl.col("status") == "completed"
    if ORDER.stores:
        kept = [*WORDS, "pickup_at", "pickup_date", "modifiers", "miles", "billed", "paid", "status",
                "region", "trip_type", "rule_number"]
        if ORDER.exact:
            trips = latest(trips)
        path: Path = ORDER.store / "trips.parquet"
        classified(trips).select(kept).sink_parquet(path, engine="streaming", maintain_order=False)
        cells = cube(pl.scan_parquet(path).filter(counted))
    elif ORDER.exact:
        slim = classified(trips).select(
            "trip_id", "version", "status", "pickup_date", "trip_type", "region", "rule_number", "paid",
            "miles")
        cells = cube(latest(slim).filter(counted))
    else:
        cells = cube(classified(trips.filter(counted)))
    exports.write_cube(ORDER.cube, cells.rows())


ZONES = lookup("zone")
ZONE_SPANS = lookup("zone_span").select(
    "time_zone", pl.col("from_utc").str.to_datetime("%Y-%m-%d %H:%M:%S"),
    pl.col("minutes").cast(pl.Int64),
).sort("from_utc")
if __name__ == "__main__":
    main()
