"""Marts of a test's own: generated exports that are edited before they are published, and a server
over them.

Its accounts are the test's own as well, with roles and regions. The trips are generated from a
seed, as everywhere.
"""

import csv
import glob
import os
import shutil
import subprocess
import tempfile

from application import PASSWORD, ROOT, Case, Served

NOW = "2026-11-01T06:14:00Z"


def command(*words, text=None, statuses=(0, 10)):
    """Runs one of the programs; what it prints."""
    environment = {**os.environ, "TRIPTYCH_NOW": NOW, "LC_ALL": "C.UTF-8"}
    ending = subprocess.run(words, input=text, capture_output=True, text=True, env=environment)
    assert ending.returncode in statuses, f"{words}: {ending.stdout} {ending.stderr}"
    return ending.stdout


class Mart:
    """A folder with exports in `in` and their mart in `mart`."""

    def __init__(self, trips=3000, months=14):
        self.folder = tempfile.mkdtemp()
        self.exports = self.folder + "/in"
        self.pipeline = ROOT + "/pipelines/ambulance"
        sizes = ["--trips", str(trips), "--months", str(months), "--seed", "7", "--layout", "native"]
        command("triptych", "generate", "--out", self.exports, *sizes)

    def edit(self, pattern, change):
        """Changes the rows of some files below `in`; `change` takes a row by the names of its
        columns, and changes it."""
        paths = sorted(glob.glob(f"{self.exports}/{pattern}"))
        assert paths, pattern
        for path in paths:
            with open(path, encoding="utf-8", newline="") as file:
                reader = csv.DictReader(file)
                rows, names = list(reader), reader.fieldnames
            for row in rows:
                change(row)
            with open(path, "w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, names, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)

    def declare(self, measures):
        """Has the pipeline declare measures, each a line of `kpis`; it is a copy of the mart's own from then on."""
        shutil.copytree(self.pipeline, self.folder + "/pipeline")
        self.pipeline = self.folder + "/pipeline"
        path = self.pipeline + "/pipeline.yaml"
        with open(path, encoding="utf-8") as file:
            text = file.read()
        assert text.count("\nkpis:\n") == 1, path
        lines = "".join(f"    {line}\n" for line in measures)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("\nkpis:\n", "\nkpis:\n  measures:\n" + lines))

    def withhold(self, name):
        """Leaves out the last tenth of an export; the rest is `deliver`ed under another name."""
        path = f"{self.exports}/{name}"
        with open(path, encoding="utf-8", newline="") as file:
            lines = file.read().splitlines(keepends=True)
        end = len(lines) * 9 // 10
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.writelines(lines[:end])
        self.withheld = lines[:1] + lines[end:]

    def deliver(self, name):
        """Writes what was withheld."""
        with open(f"{self.exports}/{name}", "w", encoding="utf-8", newline="") as file:
            file.writelines(self.withheld)

    def publish(self, *options):
        """Publishes what is in the folder."""
        places = ["--mart", self.folder + "/mart", "--input", self.exports, "--reference", self.exports + "/reference"]
        command("triptych", "run", self.pipeline, *places, *options)

    def plan(self):
        """Saves a plan of what the edited reference files change; its name."""
        places = ["--mart", self.folder + "/mart", "--reference", self.exports + "/reference"]
        command("triptych", "plan", self.pipeline, *places, "--made-by", "demo-analyst")
        [name] = glob.glob(self.folder + "/mart/plans/*.plan")
        return os.path.basename(name).removesuffix(".plan")

    def user(self, word, name, *options, text=None):
        """A command about an account."""
        command("triptych-server", "user", word, name, "--mart", self.folder + "/mart", *options, text=text)

    def add(self, name, role, *regions):
        """Adds an account; without regions it sees all."""
        options = [word for region in regions for word in ("--region", region)]
        self.user("add", name, "--role", role, *options, text=PASSWORD)

    def remove(self):
        shutil.rmtree(self.folder)


class MartServed(Served):
    """A server over such a mart, with its own accounts."""

    def __init__(self, mart, options):
        self._mart = mart
        self._start(mart.folder, options)

    def stop(self):
        super().stop()
        self._mart.remove()


class MartCase(Case):
    """Tests before a mart of their own; `edit` says what is special about it."""

    sizes = {}
    account_name = "reader"
    # Names of accounts, each with its role and the regions it may see.
    accounts = {"reader": ["administrator"]}

    @staticmethod
    def edit(mart):
        """Changes the exports before they are published."""

    @staticmethod
    def later(mart):
        """Publishes more, before the server begins."""

    @staticmethod
    def serving(mart):
        """Further options of the server."""
        return []

    @classmethod
    def serve(cls):
        cls.mart = Mart(**cls.sizes)
        cls.edit(cls.mart)
        cls.mart.publish()
        cls.later(cls.mart)
        for name, (role, *regions) in cls.accounts.items():
            cls.mart.add(name, role, *regions)
        return MartServed(cls.mart, cls.serving(cls.mart))
