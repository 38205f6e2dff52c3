"""Runs that are asked for through the server, carried out by the worker beside it.

    python test_runs.py MART PIPELINE REFERENCE

PIPELINE is a pipeline folder that this may edit; the programs are those on the path.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from contract import Contract
from served import Server, account

MART = PIPELINE = REFERENCE = None
FINAL = ["published", "unchanged", "failed", "cancelled"]
DEADLINE = 60


class RunsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for name, *options in [("analyst", "--role", "analyst"), ("reader", "--role", "administrator"),
                               ("southerner", "--role", "analyst", "--region", "08")]:
            account(MART, name, *options)

    def serving(self, *options):
        server = Server(MART, options)
        server.__enter__()
        self.addCleanup(server.stop)
        self.contract = Contract(server.ask("/openapi.yaml", name=None).body.decode())
        return server

    def with_worker(self):
        return self.serving("--with-worker", PIPELINE, "--reference", REFERENCE)

    def ask(self, server, method, path, key=None, form=None, name="analyst", status=200):
        """Asks, and expects a promised answer of a status."""
        headers = {"Idempotency-Key": key} if key else {}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        answer = server.ask(path, method, headers, form, name)
        self.assertEqual(answer.status, status, answer.body)
        template = re.sub("/runs/[0-9a-f]+", "/runs/{id}", path)
        self.assertEqual(self.contract.faults(template, method, answer), [])
        return answer

    def start(self, server, key, form=""):
        return self.ask(server, "POST", "/runs", key, form, status=202).headers["location"]

    def ended(self, server, path):
        """Looks until the run is over; every state on the way is as promised."""
        until, states = time.monotonic() + DEADLINE, []
        while time.monotonic() < until:
            run = self.ask(server, "GET", path).json
            if run["state"] not in states:
                states.append(run["state"])
            if run["state"] in FINAL:
                return run
            time.sleep(0.05)
        self.fail(f"not over after {DEADLINE} s: {states}")

    def edit(self, old, new, pipeline=None):
        path = os.path.join(pipeline or PIPELINE, "rules.yaml")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))

    def generation(self, server):
        return server.ask("/kpi", name="analyst").json["generation"]

    def test_an_edit_is_published_and_served(self):
        server = self.with_worker()
        before = self.generation(server)
        self.edit("basis: community_care", "basis: contract")
        path = self.start(server, "first-edit")
        run = self.ended(server, path)
        self.assertEqual((run["state"], run["exit_code"], run["generation"]), ("published", 0, before + 1))
        until = time.monotonic() + DEADLINE
        while self.generation(server) == before and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual(self.generation(server), before + 1)
        # Sent again, it is the same run, and nothing is carried out twice.
        self.assertEqual(self.start(server, "first-edit"), path)
        listed = self.ask(server, "GET", "/runs").json
        self.assertEqual(listed["runs"][0]["number"], run["run"])
        self.assertEqual(listed["runs"][0]["command"], "runs work")
        self.assertIn("nothing", self.ended(server, self.start(server, "again"))["summary"].lower())

    def test_a_run_says_how_far_it_is(self):
        # So many that it takes a second.
        with tempfile.TemporaryDirectory() as folder:
            mart, exports, pipeline = (os.path.join(folder, name) for name in ["mart", "in", "pipeline"])
            shutil.copytree(os.path.join(os.environ["ROOT"], "pipelines/ambulance"), pipeline)
            for command in [["generate", "--out", exports, "--trips", "200000", "--months", "6", "--seed", "7"],
                            ["run", pipeline, "--mart", mart, "--input", exports, "--reference", exports + "/reference"]]:
                subprocess.run(["triptych", *command], check=True, capture_output=True)
            self.edit("basis: community_care", "basis: contract", pipeline)
            account(mart, "analyst", "--role", "analyst")
            with Server(mart, ["--with-worker", pipeline, "--reference", exports + "/reference"]) as server:
                self.contract = Contract(server.ask("/openapi.yaml", name=None).body.decode())
                path, seen = self.start(server, "far"), []
                until = time.monotonic() + DEADLINE
                while not seen or seen[-1]["state"] not in FINAL:
                    self.assertLess(time.monotonic(), until, seen[-3:])
                    seen.append(self.ask(server, "GET", path).json)
        states = list(dict.fromkeys(run["state"] for run in seen))
        self.assertEqual([state for state in states if state != "waiting"][0], "running", states)
        stages = [run["stage"] for run in seen if run["stage"]]
        self.assertEqual(list(dict.fromkeys(stage["name"] for stage in stages))[-2:], ["writing", "recounting"])
        self.assertTrue(all(stage["total"] is None or stage["done"] <= stage["total"] for stage in stages))
        self.assertEqual((seen[-1]["state"], seen[-1]["stage"]), ("published", None))

    def test_a_plan_that_holds_no_more_publishes_nothing(self):
        server = self.with_worker()
        self.edit("basis: contract\n", "basis: contracted\n")
        planned = subprocess.run(
            ["triptych", "plan", PIPELINE, "--mart", MART, "--reference", REFERENCE, "--format", "json"],
            check=True, capture_output=True, text=True,
        )
        plan = next(name for name in sorted(os.listdir(os.path.join(MART, "plans")))
                    if name.endswith(".plan")).removesuffix(".plan")
        self.assertIn(plan, planned.stdout)
        self.edit("basis: contracted\n", "basis: contract\n")
        run = self.ended(server, self.start(server, "plan", f"plan={plan}"))
        self.assertEqual((run["state"], run["exit_code"]), ("failed", 14))

    def test_what_waits_is_called_off(self):
        server = self.serving()
        path = self.start(server, "waits")
        waiting = self.ask(server, "GET", path).json
        self.assertEqual((waiting["state"], waiting["waiting_for"]), ("waiting", "worker"))
        self.assertIn("triptych runs work PIPELINE", waiting["hint"])
        self.assertEqual(self.ask(server, "POST", path + "/cancel").json["state"], "cancelled")
        worked = subprocess.run(
            ["triptych", "runs", "work", PIPELINE, "--mart", MART, "--reference", REFERENCE],
            check=True, capture_output=True, text=True,
        )
        self.assertIn("no request waits", worked.stdout)
        self.assertEqual(self.ask(server, "GET", path).json["state"], "cancelled")

    def test_a_worker_that_waits_for_requests_is_seen(self):
        server = self.serving()
        path = self.start(server, "seen")
        command = ["triptych", "runs", "work", PIPELINE, "--watch", "--mart", MART, "--reference", REFERENCE]
        worker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.addCleanup(worker.stdout.close)
        self.addCleanup(worker.wait)
        self.addCleanup(worker.terminate)
        self.assertIn(self.ended(server, path)["state"], ["published", "unchanged"])
        # It took one, and stands ready for the next; that one is never said to wait for a worker.
        states = self.ask(server, "POST", "/runs", "next", "", status=202).json
        self.assertNotEqual(states["waiting_for"], "worker")
        self.ended(server, "/runs/" + states["id"])

    def test_nobody_else_asks_for_runs(self):
        server = self.serving()
        path = "/runs/" + "0" * 32
        for name, status in [("reader", 403), ("southerner", 403), (None, 401)]:
            self.ask(server, "GET", "/runs", name=name, status=status)
            self.ask(server, "POST", "/runs", "k", "", name=name, status=status)
            self.ask(server, "GET", path, name=name, status=status)
            self.ask(server, "POST", path + "/cancel", name=name, status=status)
        self.ask(server, "GET", path, status=404)
        self.ask(server, "POST", "/runs", None, "", status=400)
        self.ask(server, "POST", "/runs", "k", "plan=x", status=400)

    def test_the_worker_ends_with_the_server_and_the_next_one_goes_on(self):
        server = self.serving()
        path = self.start(server, "before-a-kill")
        server.stop()
        first = self.with_worker()
        worker = int(self.logged(first, r"worker started.*pid=(\d+)|pid=(\d+).*worker started"))
        first.kill()
        until = time.monotonic() + DEADLINE
        while os.path.exists(f"/proc/{worker}") and time.monotonic() < until:
            time.sleep(0.05)
        self.assertFalse(os.path.exists(f"/proc/{worker}"), "the worker outlived its server")
        # By whichever of the two: once, and to its end.
        self.assertIn(self.ended(self.with_worker(), path)["state"], ["published", "unchanged"])

    def logged(self, server, pattern):
        """What a line of the log says, as soon as it is there."""
        until = time.monotonic() + DEADLINE
        while time.monotonic() < until:
            found = re.search(pattern, "".join(server.log))
            if found:
                return next(part for part in found.groups() if part)
            time.sleep(0.05)
        self.fail(f"the log has no {pattern}")


if __name__ == "__main__":
    MART, PIPELINE, REFERENCE = map(os.path.abspath, sys.argv[1:4])
    unittest.main(argv=sys.argv[:1])
