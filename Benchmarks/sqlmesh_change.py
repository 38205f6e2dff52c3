#!/usr/bin/env python3
"""One rule is taken out: by Triptych, and by SQLMesh on DuckDB, step by step.

    sqlmesh_change.py [--size M] [--folder DIR] [--write]

SQLMesh gets the stored trips of a published generation as a table of its own database, the look-ups joined and the
rules asked in one model, the KPIs in another. Then the rule `va-npi-arranged` goes. Each step that leads from the edit
to the published number is run and timed once; what it shows is looked at: whether the in-house % after the change is
known before it is published. Both must come to the same number of trips and the same two percentages. `--write` puts
the table into docs/ANALYST.md.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from compare import SIZES
from comparison import measure, page
from comparison.data import Data
from comparison.engines import BENCHMARKS, PIPELINE, Scratch, engines, program

sys.path.insert(0, str(BENCHMARKS / "rivals"))
import duckdb_job  # noqa: E402
import exports  # noqa: E402

RULE = "va-npi-arranged"
RULE_NUMBER = 14
FIELDS = ["trip_id", "pickup_date", "station", "provider_npi", "provider_name", "vehicle", "contract", "hcpcs",
          "modifiers", "paid_cents", "status"]
CONFIG = """gateways:
  duckdb: {{connection: {{type: duckdb, database: {0}}}}}
default_gateway: duckdb
model_defaults: {{dialect: duckdb, start: 2024-01-01}}
"""
KPI = f"""MODEL (name mart.kpi, kind FULL, grain (month, trip_type, region));
SELECT month, trip_type, region, count(*) AS trips,
    count(*) FILTER (WHERE rule_number IN {exports.IN_HOUSE_RULES}) AS in_house,
    count(rule_number) AS known, coalesce(sum(paid), 0) AS cost
FROM mart.decided GROUP BY month, trip_type, region
"""
ASK = """SELECT '{0}' AS env, round(sum(in_house) * 100.0 / sum(known), 2) AS pct FROM {1}"""


@dataclass
class Step:
    """One thing that somebody does."""

    who: str
    what: str
    seconds: float
    shows: str


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", choices=list(SIZES), default="M")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


class Change:
    """One call of the program."""

    def __init__(self, chosen: argparse.Namespace, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "step.log"
        self.program = program()
        self.ours = engines(self.program)[0]
        self.trips = SIZES[chosen.size]
        data = Data(folder, self.trips, self.program)
        self.exports = data.exports("gzip", has_repeats=False)
        self.scratch = Scratch(folder / "change").cleared()
        self.pipeline = folder / "pipeline"
        self.project = folder / "project"
        self.sqlmesh = str(Path(sys.executable).parent / "sqlmesh")
        self.steps: list[Step] = []

    def done(self, command: list[str], what: str) -> tuple[float, str]:
        """Runs a command that must succeed; the seconds it took, and what it printed."""
        usage = measure.run(command, self.log)
        text = self.log.read_text(encoding="utf-8")
        if usage.status not in self.ours.good:
            raise SystemExit(f"{what}: status {usage.status}\n{text}")
        print(f"{what}: {usage.wall:.1f} s", file=sys.stderr, flush=True)
        return usage.wall, text

    def step(self, who: str, what: str, command: list[str], shows: str) -> str:
        seconds, text = self.done(command, f"{who}: {what}")
        self.steps.append(Step(who, what, seconds, shows))
        return text

    # Both stores before the change

    def build(self) -> None:
        self.done(self.ours.run(PIPELINE, self.exports, self.scratch, 2), "our store")
        shutil.rmtree(self.project, ignore_errors=True)
        (self.project / "models").mkdir(parents=True)
        (self.project / "config.yaml").write_text(
            CONFIG.format(self.project / "trips.duckdb"), encoding="utf-8")
        (self.project / "models/kpi.sql").write_text(KPI, encoding="utf-8")
        self.write_rules(exports.rules_sql())
        self.load()
        self.done(self.mesh("plan", "--auto-apply", "--no-prompts"), "SQLMesh's store")

    def mesh(self, *arguments: str) -> list[str]:
        return [self.sqlmesh, "--log-file-dir", str(self.folder / "logs"), "--paths", str(self.project), *arguments]

    def write_rules(self, rules: str) -> None:
        """The look-ups and rules as the rival of compare.py has them, over tables of another schema."""
        joined = duckdb_job.joined("SELECT * FROM raw.trip", duckdb_job.COUNTED)
        joined = re.sub(r"LEFT JOIN (\w+) ON", r"LEFT JOIN raw.\1 AS \1 ON", joined)
        (self.project / "models/decided.sql").write_text(
            "MODEL (name mart.decided, kind FULL, grain trip_id);\n"
            f"SELECT trip_id, date_trunc('month', pickup_date) AS month, trip_type, region, paid, {rules} AS "
            f"rule_number FROM ({joined})\n", encoding="utf-8")

    def load(self) -> None:
        """The stored trips and the reference files as tables."""
        import duckdb

        path = self.folder / "trips.csv"
        mart = self.scratch.store / "mart" / "triptych.sqlite"
        with open(path, "wb") as file:
            subprocess.run(["sqlite3", "-csv", "-header", f"file:{mart}?immutable=1",
                            f"SELECT {', '.join(FIELDS)} FROM trip"], stdout=file, check=True)
        database = duckdb.connect(str(self.project / "trips.duckdb"))
        database.execute("CREATE SCHEMA raw")
        database.execute(
            "CREATE TABLE raw.trip AS SELECT * EXCLUDE (pickup_date, paid_cents), CAST(pickup_date AS DATE)"
            " AS pickup_date, CAST(paid_cents AS BIGINT) AS paid FROM"
            f" read_csv('{path}', header = true, all_varchar = true, nullstr = '')")
        for lookup in sorted(self.exports.lookups.glob("*.csv")):
            name = f"raw.{lookup.stem}"
            database.execute(f"CREATE TABLE {name} AS FROM"
                             f" read_csv('{lookup}', header = true, all_varchar = true, nullstr = '')")
            if lookup.stem in ("site", "fleet", "provider", "award", "award_today"):
                for end in ("from", "to"):
                    database.execute(f'ALTER TABLE {name} ALTER "{end}" TYPE DATE')
        database.close()
        path.unlink()

    # The change

    def change_ours(self) -> tuple[int, list[float]]:
        """Takes the rule out of a copy of the folder; how many trips that moves, the percentages before and after."""
        shutil.copytree(PIPELINE, self.pipeline)
        rules = self.pipeline / "rules.yaml"
        parts = rules.read_text(encoding="utf-8").split("\n- id: ")
        kept = [part for part in parts if not part.startswith(f"{RULE}\n")]
        text = "\n- id: ".join(kept)
        # An example of the next rule says that it leaves such trips: it goes with the rule.
        example = "    leaves:\n      - {pickup_date: 2026-05-03, provider.owner: VA, has_qm: 1}\n"
        if len(kept) + 1 != len(parts) or example not in text:
            raise SystemExit("the rules are not those this script was written for")
        rules.write_text(text.replace(example, ""), encoding="utf-8")
        plan = self.ours.plan(self.pipeline, self.exports.reference, self.scratch, 2)
        answer = self.step("Triptych", "`triptych plan`", plan,
                           "trips, in-house % and cost, now and as planned; by month, type and region; trips to look at")
        found = json.loads(answer)[0]
        saved = next((self.scratch.store / "mart" / "plans").glob("*.plan"))
        publish = self.ours.reclassify(self.pipeline, self.exports.reference, self.scratch, 2)
        publish[2:4] = ["--plan", str(saved)]
        self.step("Triptych", "`triptych reclassify --plan`", publish, "published: exactly that")
        percent = [round(in_house(found[when]), 2) for when in ("now", "planned")]
        moved = abs(found["planned"]["in_house_trips"] - found["now"]["in_house_trips"])
        return moved, percent

    def change_theirs(self) -> tuple[int, list[float]]:
        lines = exports.rules_sql().splitlines()
        self.write_rules("\n".join(line for line in lines if not line.endswith(f"THEN {RULE_NUMBER}")))
        self.step("SQLMesh", "`sqlmesh plan dev`", self.mesh("plan", "dev", "--auto-apply", "--no-prompts"),
                  "the lines of SQL that changed, and which models are built anew")
        text = self.step("SQLMesh", "`sqlmesh table_diff prod:dev`",
                         self.mesh("table_diff", "prod:dev", "mart.decided", "-o", "trip_id"),
                         "rows that match, by column")
        partial = re.search(r"PARTIAL MATCH: (\d+)", text)
        query = " UNION ALL ".join(ASK.format(env, table) for env, table in
                                   (("prod", "mart.kpi"), ("dev", "mart__dev.kpi"))) + " ORDER BY env DESC"
        answer = self.step("SQLMesh", "a query of one's own on both environments", self.mesh("fetchdf", query),
                           "in-house % of both, where one asks for it")
        self.step("SQLMesh", "`sqlmesh plan`", self.mesh("plan", "--auto-apply", "--no-prompts"),
                  "published: the views of prod point at the tables of dev")
        percent = [float(found) for found in re.findall(r"(?:prod|dev)\s+([\d.]+)", answer)]
        if partial is None or len(percent) != 2:
            raise SystemExit(f"SQLMesh printed something else:\n{text}\n{answer}")
        return int(partial[1]), percent

    def table(self) -> str:
        rows = [[step.who, step.what, step.shows, page.seconds(step.seconds)] for step in self.steps]
        return page.table(rows, ["who", "step", "what one sees", "s"])


def in_house(sums: dict[str, int]) -> float:
    return 100 * sums["in_house_trips"] / (sums["in_house_trips"] + sums["contracted_trips"])


def main() -> int:
    chosen = words()
    with tempfile.TemporaryDirectory(prefix="triptych-sqlmesh-") as temporary:
        folder = chosen.folder.resolve() if chosen.folder else Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        change = Change(chosen, folder)
        change.build()
        ours, theirs = change.change_ours(), change.change_theirs()
        if ours != theirs:
            raise SystemExit(f"Triptych says {ours}, SQLMesh {theirs}")
        version = subprocess.run([change.sqlmesh, "--version"], capture_output=True, text=True, check=True)
        moved, percent = ours
        versions = f"{change.ours.version}, SQLMesh {version.stdout.strip()} on DuckDB"
        text = (f"{measure.origin(folder, versions)} {change.trips:,} stored trips; each step once. Both move "
                f"{moved:,} trips, and in-house from {percent[0]:.2f} to {percent[1]:.2f} %.\n\n{change.table()}")
        print(text, flush=True)
        if chosen.write:
            page.write(BENCHMARKS.parent / "docs/ANALYST.md", "sqlmesh_change.py", text)
        change.scratch.remove()
        for left in (change.project, change.pipeline):
            shutil.rmtree(left)
    return 0


if __name__ == "__main__":
    sys.exit(main())
