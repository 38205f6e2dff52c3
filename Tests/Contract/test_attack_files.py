"""Pipelines and deliveries that are made to do harm are refused or inert, and cost no more than good ones.

    python test_attack_files.py FOLDER
"""

import gzip
import os
import shutil
import subprocess
import sys
import threading
import unittest

FOLDER = None
# What a pipeline that is made to do harm may take: processor seconds, and bytes.
SECONDS, BYTES = 0.05, 64 << 20
FAULTS, GOOD, NO_INPUT = 15, 0, 65
# How long a command may go on.
PATIENCE = 60
# What stands in one line of a fault at most.
LINE = 400
SAID_BY_NONE = ["Fatal error", "Swift/", "stack dump", "SIGSEGV", "YamlError"]
GOOD_PIPELINE = os.path.join(os.environ["ROOT"], "pipelines/minimal")
SAMPLE = GOOD_PIPELINE + "/sample/trips.csv"


def base():
    with open(GOOD_PIPELINE + "/pipeline.yaml", encoding="utf-8") as file:
        return file.read()


def with_rule(condition):
    """One more rule, with a condition of ours."""
    quoted = condition.replace("\\", "\\\\").replace('"', '\\"')
    return f'{base()}  - {{id: more, class: contracted, basis: contract, because: One more., when: "{quoted}"}}\n'


def with_source(text):
    """Other files, or another order of them."""
    return base().replace('files: "*.csv"', text)


def laughs(levels=8):
    """A few hundred bytes that stand for gigabytes."""
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{level}: &a{level} [{','.join([f'*a{level - 1}'] * 9)}]" for level in range(1, levels + 1)]
    return "\n".join(lines) + "\n"


# What stands in pipeline.yaml, and how looking at it ends.
PIPELINES = {
    "aliases of aliases": (laughs, FAULTS),
    "a map merged into another": (lambda: "a: &a {x: 1}\n<<: *a\n", FAULTS),
    "an anchor": (lambda: base().replace("pipeline: mine", "pipeline: &x mine"), FAULTS),
    "a type of a language": (lambda: base().replace("pipeline: mine", 'pipeline: !!python/object/apply:os.system ["id"]'), FAULTS),
    "lists that never end": (lambda: "[" * 60_000, FAULTS),
    "lists in lists": (lambda: "[" * 30_000 + "]" * 30_000, FAULTS),
    "maps that never end": (lambda: "{a: " * 15_000, FAULTS),
    "dashes": (lambda: "- " * 30_000, FAULTS),
    "21 levels": (lambda: "".join(" " * level + "-\n" for level in range(22)), FAULTS),
    "a byte too many": (lambda: base() + "#" * (64 * 1024 + 1 - len(base().encode())), FAULTS),
    "as many bytes as are read": (lambda: base() + "#" * (64 * 1024 - len(base().encode())), GOOD),
    "12 MB": (lambda: base() + "# x\n" * 3_000_000, FAULTS),
    "a key of 60 kB": (lambda: "x" * 60_000 + ": 1\n", FAULTS),
    "quotes": (lambda: "'" * 60_000, FAULTS),
    "NUL": (lambda: base() + "\0", FAULTS),
    "two documents": (lambda: base() + "---\n" + base(), FAULTS),
    "parentheses": (lambda: with_rule("(" * 8_000 + "owner = 'VA'" + ")" * 8_000), FAULTS),
    "NOT of NOT": (lambda: with_rule("NOT " * 4_000 + "owner = 'VA'"), FAULTS),
    "a condition of 60 kB": (lambda: with_rule(f"owner IN ({','.join(['1'] * 30_000)})"), FAULTS),
    "a list of 3,000": (lambda: with_rule(f"owner IN ({','.join(['1'] * 3_000)})"), FAULTS),
    "a name of 15 kB": (lambda: with_rule("o" * 15_000 + " = 'VA'"), FAULTS),
    "a table of 15 kB": (lambda: with_rule("EXISTS(" + "o" * 15_000 + ")"), FAULTS),
    "a statement": (lambda: with_rule("1; DROP TABLE trip; --"), FAULTS),
    "a statement in a list": (lambda: with_rule("owner IN (SELECT sql FROM sqlite_schema)"), FAULTS),
    "a pragma": (lambda: with_rule("writable_schema = 1"), FAULTS),
    "a function of SQLite's": (lambda: with_rule("load_extension('x') IS NULL OR randomblob(1000000000) = owner"), FAULTS),
    "a pattern of 5,000 wildcards": (lambda: with_rule("owner LIKE '" + "%a" * 5_000 + "'"), GOOD),
    "repeats of repeats": (lambda: with_source("""files: "*.csv", order: '(a+)+b'"""), GOOD),
    "a million repeats": (lambda: with_source("""files: "*.csv", order: '(a{1000}){1000}'"""), FAULTS),
    "20,000 groups": (lambda: with_source(f"""files: "*.csv", order: '{"(" * 20_000}a{")" * 20_000}'"""), FAULTS),
    "5,000 stars": (lambda: with_source(f'files: "{"*a" * 5_000}"'), GOOD),
    "files above": (lambda: with_source('files: "../../etc/*"'), GOOD),
    "files from the root": (lambda: with_source('files: "/etc/passwd"'), GOOD),
}


class Ending:
    """How a command ended, what it said and what it took."""

    def __init__(self, *words):
        with open(f"{FOLDER}/said", "w+b") as said:
            process = subprocess.Popen(["triptych", *words], stdin=subprocess.DEVNULL, stdout=said, stderr=said)
            # What hangs fails, and holds up nobody.
            end = threading.Timer(PATIENCE, process.kill)
            end.start()
            _, status, usage = os.wait4(process.pid, 0)
            end.cancel()
            # It is waited for already.
            process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            self.text = said.read().decode("utf-8")
        self.status = process.returncode
        self.seconds, self.bytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


class AttackFilesTest(unittest.TestCase):
    def setUp(self):
        self.pipeline, self.input = f"{FOLDER}/pipeline", f"{FOLDER}/deliveries"
        for folder in [self.pipeline, self.input]:
            shutil.rmtree(folder, ignore_errors=True)
            os.mkdir(folder)

    def write(self, text):
        with open(f"{self.pipeline}/pipeline.yaml", "w", encoding="utf-8") as file:
            file.write(text)

    def run_night(self, mart):
        return Ending("run", self.pipeline, "--mart", f"{FOLDER}/{mart}", "--input", self.input)

    def assert_plain(self, ending):
        """It ended by itself, and says what is wrong in lines that somebody can read."""
        self.assertGreaterEqual(ending.status, 0, ending.text[-LINE:])
        for word in SAID_BY_NONE:
            self.assertNotIn(word, ending.text)
        self.assertLessEqual(max(map(len, ending.text.splitlines()), default=0), LINE)

    def test_pipelines_are_refused_or_cost_what_others_do(self):
        for name, (text, status) in PIPELINES.items():
            with self.subTest(name):
                self.write(text())
                ending = Ending("check", self.pipeline)
                # Where others are at work a good one takes longer as well: then it counts beside that.
                tries, good = [ending.seconds], [SECONDS / 2]
                while min(tries) > 2 * max(good) and len(tries) < 10:
                    tries.append(Ending("check", self.pipeline).seconds)
                    good.append(Ending("check", GOOD_PIPELINE).seconds)
                self.assert_plain(ending)
                self.assertEqual(ending.status, status, ending.text[-LINE:])
                self.assertLessEqual(min(tries), 2 * max(good))
                self.assertLessEqual(ending.bytes, BYTES)

    def test_a_name_is_held_against_repeats_of_repeats(self):
        self.write(PIPELINES["repeats of repeats"][0]())
        with open(f"{self.input}/{'a' * 200}.csv", "w", encoding="utf-8") as file:
            file.write("Trip Number\n1\n")
        ending = self.run_night("mart-names")
        self.assert_plain(ending)
        self.assertIn("does not fit the source's `order` pattern", ending.text)

    def test_files_elsewhere_are_not_read(self):
        secret = f"{FOLDER}/elsewhere.csv"
        with open(SAMPLE, encoding="utf-8") as file:
            rows = file.read()
        with open(secret, "w", encoding="utf-8") as file:
            file.write(rows)
        # Nobody writes to it: who opened it would wait for ever.
        os.mkfifo(f"{self.input}/pipe.csv")
        for number, files in enumerate(["../elsewhere.csv", secret, "*.csv"]):
            with self.subTest(files):
                self.write(with_source(f'files: "{files}"'))
                ending = self.run_night(f"mart-elsewhere-{number}")
                self.assert_plain(ending)
                self.assertEqual(ending.status, NO_INPUT, ending.text)
        with open(secret, encoding="utf-8") as file:
            self.assertEqual(file.read(), rows)

    def test_a_file_that_expands_without_end_is_refused(self):
        self.write(base())
        with open(SAMPLE, "rb") as file:
            lines = file.readlines()
        with gzip.open(f"{self.input}/bomb.csv.gz", "wb", compresslevel=9) as file:
            file.write(lines[0])
            for _ in range(64):
                file.write(lines[1] * (1 << 14))
        ending = self.run_night("mart-bomb")
        self.assert_plain(ending)
        self.assertEqual(ending.status, NO_INPUT, ending.text)
        self.assertIn("times its size", ending.text)
        self.assertLessEqual(ending.bytes, BYTES)


if __name__ == "__main__":
    FOLDER = os.path.abspath(sys.argv.pop())
    unittest.main()
