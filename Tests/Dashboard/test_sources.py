"""The files of the dashboard, without a browser: tokens, texts, weight, types, and what is never written in them.

python test_sources.py
"""

import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

try:
    import yaml
except ImportError:
    # It comes with the tests of the contract.
    yaml = None

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HOME = os.path.join(ROOT, "Sources/TripServer/Dashboard")
# Facts and what is said of them, months and what is drawn of them; the tests of the report read them too.
CASES = os.path.join(ROOT, "Tests/Dashboard/cases")
# What all modules and sheets, in both languages, weigh at most, each compressed by itself, in bytes.
WEIGHT = 150_000


def read(path):
    with open(os.path.join(HOME, path), encoding="utf-8") as file:
        return file.read()


def modules():
    return sorted(os.path.relpath(path, HOME) for path in glob.glob(HOME + "/**/*.js", recursive=True))


def table(language):
    """The texts of a language: its keys and their texts."""
    return dict(re.findall(r'"([\w-]+)": "((?:[^"\\]|\\.)*)"', read(f"text/{language}.js")))


def shapes():
    """The shapes of types.js: of each, its members and whether they may be null."""
    found = {}

    def listed(text):
        """The members of a shape on one line."""
        return {
            name: kind.rstrip().endswith("| null")
            for name, kind in re.findall(r"(\w+): ((?:[^,{}\[\]]|\{[^{}]*\}|\[\])+)", text.strip()[1:-1])
        }

    text = read("shell/types.js")
    for comment in re.findall(r"/\*\*.*?\*/", text, flags=re.S):
        for kind, name in re.findall(r"@typedef \{(.*)\} (\w+)", comment):
            members = {}
            if kind == "object":
                properties = re.findall(r"@property \{(.*?)\} (\w+)", comment)
                members = {member: type.endswith("| null") for type, member in properties}
            for part in re.split(r" & ", kind) if kind != "object" else []:
                members.update(listed(part) if part.startswith("{") else found.get(part, {}))
            found[name] = members
    return found


class Sources(unittest.TestCase):
    @unittest.skipIf(yaml is None, "there is no PyYAML")
    def test_the_shapes_are_those_of_the_contract(self):
        """Issue, item 11: every member of the answers that screens read, and whether it may be null."""
        with open(ROOT + "/Sources/TripServer/API/health-dashboard.yaml", encoding="utf-8") as file:
            schemas = yaml.safe_load(file)["components"]["schemas"]
        inner = {
            "Goal": schemas["KPI"]["properties"]["goal"],
            "BasisSums": schemas["KPI"]["properties"]["by_basis"]["items"],
            "ListedTrip": schemas["TripPage"]["properties"]["trips"]["items"],
            "Month": schemas["MonthList"]["properties"]["months"]["items"],
            "TripType": schemas["TripTypeList"]["properties"]["trip_types"]["items"],
            "Region": schemas["RegionList"]["properties"]["regions"]["items"],
            "Asked": schemas["Filter"],
            "Plan": schemas["SavedPlan"],
            "MeasureValue": schemas["MeasureValues"]["items"],
        }
        ours = {"Class", "Origin", "Numbers", "TrendLists", "TripRecord", "Changes", "Part", "Role", "ComparedMeasure"}
        for name, members in shapes().items():
            if name in ours:
                continue
            schema = inner.get(name) or schemas[name]
            expected = {}
            for member, value in schema["properties"].items():
                value = schemas[value["$ref"].split("/")[-1]] if "$ref" in value else value
                parts = [value, *value.get("oneOf", [])]
                expected[member] = any(part.get("nullable", False) for part in parts)
            self.assertEqual(members, expected, name)
        part = {"label": True, "kind": False}
        for name in ["RegionPoints", "TripTypePoints", "RegionCents", "TripTypeCents"]:
            self.assertLessEqual(
                set(schemas[name]["properties"]), {*part, "region", "trip_type", "hundredths", "cents"}
            )

    def test_the_sheet_is_that_of_the_tokens_and_no_sheet_has_sizes_of_its_own(self):
        """D92, D96, C6, R28: one source of colours, sizes and durations."""
        ending = subprocess.run([sys.executable, ROOT + "/.ci/tokens", "--check"], capture_output=True, text=True)
        self.assertEqual((ending.returncode, ending.stdout), (0, ""))

    def test_every_language_has_the_same_texts_and_places(self):
        """R27: the same keys, and the same places for values in each."""
        english, spanish = table("en"), table("es")
        self.assertEqual(set(english), set(spanish))
        for key, text in english.items():
            self.assertEqual(
                set(re.findall(r"\{(\w+)\}", text)) - set(re.findall(r"\{(\w+)\}", spanish[key])), set(), key
            ) if key != "filter-month-unknown" else None

    def test_no_text_stands_outside_the_tables(self):
        """R27: what is shown comes from `t`; a child of an element is never a literal with letters."""
        for path in modules():
            if path.startswith("text/e") or path == "service-worker.js":
                continue
            code = re.sub(r"/\*.*?\*/|//[^\n]*", "", read(path), flags=re.S)
            for literal in re.findall(r"h\(\"[\w.-]+\", (?:null|\{[^{}]*\}), \"([^\"]*[A-Za-z]{2}[^\"]*)\"", code):
                self.fail(f"{path}: the text {literal!r} belongs into the tables")
            for name, literal in re.findall(
                r"\"?(aria-label|title|placeholder)\"?: \"([^\"]*[A-Za-z]{2}[^\"]*)\"", code
            ):
                self.fail(f"{path}: {name} {literal!r} belongs into the tables")

    def test_every_text_is_used(self):
        """R27: no key of the table is left over."""
        code = "".join(read(path) for path in modules() if not path.startswith("text/e"))
        made = tuple(re.findall(r"[`\"]([a-z-]+-)(?:\$\{|\" \+)", code))
        for key in table("en"):
            name = re.sub(r"_(one|other)$", "", key)
            self.assertTrue(f'"{name}"' in code or name.startswith(made), f"{name} is used nowhere")

    def test_questions_are_asked_plainly(self):
        """C7, R18, R19, R33: no "Are you sure", no OK, buttons of at most three words."""
        for language in ["en", "es"]:
            for key, text in table(language).items():
                self.assertNotRegex(text, r"(?i)are you sure|do you want to|está seguro", key)
                self.assertNotIn(text.lower(), {"ok", "okay", "aceptar"}, key)
        for key in [
            "apply",
            "clear-all",
            "retry",
            "log-out",
            "use-passkey",
            "use-password",
            "continue",
            "show",
            "copy",
            "publish",
            "stay",
            "load-more",
            "not-now",
        ]:
            self.assertLessEqual(len(table("en")[key].split()), 3, key)

    def test_nothing_is_written_as_markup_or_style(self):
        """Issue, items 5, 8: no markup made of texts, no code made of texts, no attribute `style`."""
        for path in modules():
            code = re.sub(r"/\*.*?\*/|//[^\n]*", "", read(path), flags=re.S)
            code = code.replace('key === "style" || key === "innerHTML"', "")
            for word in [
                r"innerHTML",
                r"outerHTML",
                r"insertAdjacentHTML",
                r"document\.write",
                r"\beval\(",
                r"new Function",
                r"\.style\b",
                r"h\([^)]*[\"{ ]style:",
                r"setAttribute\(\"style",
                r"parseFromString",
            ]:
                self.assertNotRegex(code, word, path)
        page = read("index.html")
        self.assertNotRegex(page, r"<style|style=|onclick=|<script(?![^>]*src=)")

    def test_it_weighs_little(self):
        """Issue, item 8: all modules and sheets together, each compressed as it is served."""
        weights = {
            path: len(gzip.compress(read(path).encode(), 9))
            for path in [*modules(), *[os.path.relpath(each, HOME) for each in glob.glob(HOME + "/styles/*.css")]]
        }
        self.assertLessEqual(sum(weights.values()), WEIGHT, sorted(weights.items(), key=lambda each: -each[1])[:10])

    def test_files_and_folders_stay_small(self):
        """Issue: at most 25 files in a folder, 300 lines in a file."""
        for place, _, names in os.walk(HOME):
            self.assertLessEqual(len(names), 25, place)
            for name in names:
                if not name.endswith(".json"):
                    self.assertLessEqual(read(os.path.join(place, name)).count("\n"), 300, name)

    def test_every_asset_is_named_by_the_page_or_by_an_import(self):
        """Issue, item 8: so that a server can rename each; imports are relative and lead somewhere."""
        for path in modules():
            for found in re.findall(
                r"(?:^import .*?from|^export .*?from|import\()\s*\"([^\"]+)\"",
                re.sub(r"/\*\*.*?\*/|@\w+ \{import[^}]*\}", "", read(path), flags=re.S),
                flags=re.M,
            ):
                self.assertTrue(found.startswith("."), (path, found))
                self.assertTrue(
                    os.path.exists(os.path.normpath(os.path.join(HOME, os.path.dirname(path), found))), (path, found)
                )
        for found in re.findall(r"(?:src|href)=\"(/[^\"]+)\"", read("index.html")):
            self.assertTrue(
                found.startswith("/assets/") and os.path.exists(HOME + found.removeprefix("/assets")), found
            )

    def test_screens_are_of_the_five_kinds(self):
        """R1, R2, R4, R5: each route has one of the kinds; tabs have no way up, and all others do."""
        kinds = {"fullscreen task", "category landing", "feature landing", "child", "web view"}
        for route in json.loads(read("routes.json")):
            self.assertIn(route["type"], kinds, route)
            self.assertEqual("parent" in route, route["type"] not in {"fullscreen task", "category landing"}, route)

    def test_links_of_the_scheme_are_the_paths_of_the_table(self):
        """D30 to D33, D35: each deep link of the native apps has its path here, in the one table of routes."""
        found = {route["scheme"]: route["path"] for route in json.loads(read("routes.json")) if "scheme" in route}
        for scheme, path in found.items():
            self.assertEqual(scheme.replace("vaambulance://", "/app/"), path)
        self.assertEqual(len(found), 4, found)

    def test_types_and_habits_are_checked(self):
        """Issue, item 8: `deno check` and `deno lint`, where deno is there (TypeScript and its rules in one program)."""
        config = ["--config", os.path.join(ROOT, "Tests/Dashboard/deno.json")]
        self.deno("check", *config, HOME + "/shell/main.js", CASES + "/answers.js")
        self.deno("lint", *config, HOME, CASES)

    def test_sentences_and_charts_are_those_of_the_cases(self):
        """Issue, items 2, 5: the words and the charts of the monthly report, whose tests read the same cases."""
        answers = json.loads(self.deno("run", "--allow-read=" + CASES, CASES + "/answers.js"))
        with open(CASES + "/sentence-cases.json", encoding="utf-8") as file:
            sentences = json.load(file)
        with open(CASES + "/chart-cases.json", encoding="utf-8") as file:
            charts = json.load(file)
        for cases, name, expected in [
            (sentences, "sentences", "sentence"),
            (sentences, "goals", "text"),
            (charts, "charts", "drawn"),
            (charts, "grids", "values"),
            (charts, "labels", "places"),
        ]:
            self.assertGreater(len(cases[name]), 1, name)
            self.assertEqual(len(answers[name]), len(cases[name]), name)
            for case, answer in zip(cases[name], answers[name]):
                with self.subTest(case.get("name", case)):
                    self.assertEqual(answer, case[expected])

    def deno(self, *command):
        """What a command of deno writes; the test is skipped where there is no deno."""
        beside = os.path.join(os.path.dirname(sys.executable), "deno")
        deno = beside if os.path.exists(beside) else shutil.which("deno")
        if deno is None:
            self.skipTest("there is no deno")
        ending = subprocess.run(
            [deno, *command],
            capture_output=True,
            text=True,
            env={**os.environ, "NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1"},
        )
        self.assertEqual(ending.returncode, 0, ending.stderr + ending.stdout)
        return ending.stdout


if __name__ == "__main__":
    # All scripts of the folder are given one with a mart, which is not needed here.
    unittest.main(argv=sys.argv[:1])
