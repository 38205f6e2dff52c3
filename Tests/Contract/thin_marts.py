"""Marts of few trips, made where one stands: other thresholds, and much that costs nothing."""

import csv
import random
import subprocess
from pathlib import Path

PIPELINE = """pipeline: thin
time_zone: America/New_York
sources:
  trips: {{files: "*.csv"}}
fields:
  trip_id: trip
  pickup_at: {{from: pickup, formats: ["yyyy-MM-dd HH:mm"]}}
  region: region
  trip_type: kind
  cost: paid
  miles: miles
  owner: owner
rules:
  - id: own
    class: in_house
    basis: va_fleet
    when: owner = 'VA'
    because: The vehicle belongs to VA.
  - id: vendor
    class: contracted
    basis: contract
    when: owner = 'Vendor'
    because: The vehicle belongs to a vendor.
kpis: {{cost: cost, settles_after: 90 days, suppress_below: {threshold}}}
"""
THRESHOLDS = [11, 2, 3, 5, 20]
# Trips, types and regions; of the types and regions some share is free.
SHAPES = [(60, 3, 3, 0.4), (250, 4, 4, 0.4), (600, 5, 4, 0), (900, 5, 6, 0.4), (250, 5, 5, 0.6), (700, 5, 5, 0.3), (400, 4, 5, 0.5)]
SEEDS = 22
PATIENCE = 60


def lump_sum():
    """One region pays for its one trip of a type; the other has many, and pays a lump sum for all it has."""
    draw = random.Random(5)
    for kind, region, price, count in [
        ("PI", "01", 431.17, 1), ("PI", "02", 0, 24), ("BLS", "01", None, 60), ("BLS", "02", 0, 70), ("ALS1", "01", None, 40),
        ("ALS1", "02", 0, 55),
    ]:
        for _ in range(count):
            paid = draw.uniform(80, 900) if price is None else price
            yield kind, region, f"{paid:.2f}", f"{draw.uniform(1, 60):.2f}", "Vendor"


def drawn(seed, trips, types, regions, free):
    """Trips of a few frequent and more rare types and regions."""
    draw = random.Random(seed)
    kinds = [f"K{number}" for number in range(types)]
    places = [f"{number:02}" for number in range(1, regions + 1)]
    weights = [[draw.paretovariate(0.8) for _ in names] for names in (kinds, places)]
    unpaid = {name for name in places if draw.random() < free} | {name for name in kinds if draw.random() < free / 2}
    for _ in range(trips):
        kind, region = draw.choices(kinds, weights[0])[0], draw.choices(places, weights[1])[0]
        owner = draw.choices(["VA", "Vendor", "?"], [35, 60, 2])[0]
        paid = "0.00" if unpaid & {kind, region} else f"{draw.uniform(80, 900):.2f}"
        if draw.random() < (0.9 if owner == "VA" else 0.07):
            paid = ""
        yield kind, region, paid, "" if draw.random() < 0.05 else f"{draw.uniform(1, 80):.2f}", owner


def make(seeds):
    """Publishes one mart after the other, as many as there are seeds and one; their folders."""
    thin = [
        (f"thin{seed}", THRESHOLDS[seed % len(THRESHOLDS)], drawn(seed, *SHAPES[seed % len(SHAPES)])) for seed in range(1, seeds + 1)
    ]
    for name, threshold, trips in [("lump", 11, lump_sum()), *thin]:
        folder = Path(name)
        (folder / "in").mkdir(parents=True)
        (folder / "pipeline").mkdir()
        (folder / "pipeline/pipeline.yaml").write_text(PIPELINE.format(threshold=threshold), encoding="utf-8")
        draw = random.Random(name)
        with open(folder / "in/trips.csv", "w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["trip", "pickup", "region", "kind", "paid", "miles", "owner"])
            for number, (kind, region, paid, miles, owner) in enumerate(trips):
                pickup = f"2025-05-{draw.randint(1, 28):02} 10:{draw.randint(0, 59):02}"
                rows.writerow([f"T{number:06}", pickup, region, kind, paid, miles, owner])
        command = ["triptych", "run", folder / "pipeline", "--mart", folder / "mart", "--input", folder / "in"]
        ending = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        # A mart of one month is a warning.
        if ending.returncode not in (0, 10):
            raise RuntimeError(ending.stderr)
        yield f"{name}/mart"
