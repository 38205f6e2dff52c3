"""A server whose file is damaged while it serves: it goes back to the generation before, says so, and tells nobody what it read.

    python test_damage.py MART FOLDER
"""

import json
import os
import shutil
import subprocess
import sys
import time
import unittest

from served import Server, account

# What a library would quote.
CANARY = "canarytext4411"
PATIENCE = 60
# A file that seems to be the same is looked at a minute after the look before, where a read of it failed.
SUSPICION = 60


class DamageTest(unittest.TestCase):
    def setUp(self):
        # A second generation of the same trips, so that there is one before.
        self.mart = os.path.join(FOLDER, self.id().rpartition(".")[2])
        shutil.copytree(MART, self.mart, symlinks=True)
        shutil.copy(MART + ".key", self.mart + ".key")
        command = ["triptych", "run", os.path.join(os.environ["ROOT"], "pipelines/ambulance"), "--mart", self.mart,
                   "--input", os.path.join(FOLDER, "in"), "--reference", os.path.join(FOLDER, "in/reference"), "--full"]
        ending = subprocess.run(command, capture_output=True, text=True)
        assert ending.returncode in (0, 10), ending.stderr
        account(self.mart, "looking", "--role", "administrator")

    def until(self, server, condition, what, patience):
        end = time.monotonic() + patience
        while not condition():
            self.assertLess(time.monotonic(), end, f"{what}: {server.log[-5:]}")
            time.sleep(0.02)

    def test_the_generation_before_is_served_and_nothing_of_the_damaged_one_said(self):
        self.damages(is_seen=True)

    @unittest.skipUnless("PROVE" in os.environ, "waits a minute: make prove")
    def test_so_it_is_where_the_file_seems_to_be_the_same(self):
        # As where a disk changes bits by itself.
        self.damages(is_seen=False)

    def damages(self, is_seen):
        """Writes over the file that is served; its time says so where that is seen."""
        with Server(self.mart, ["--log-format", "json"]) as server:
            ready = server.ask("/readyz", name=None).json
            self.assertEqual((ready["status"], ready["generation"]), ("ready", 2))
            refs = [trip["ref"] for trip in server.ask("/trips?limit=50", name="looking").json["trips"]]
            missing = server.ask("/trip/" + "A" * 28, name="looking")
            path = os.path.realpath(os.path.join(self.mart, "triptych.sqlite"))
            size = os.path.getsize(path)
            before = os.stat(path)
            if not is_seen:
                server.pause()
            os.chmod(path, 0o600)
            with open(path, "r+b") as file:
                file.seek(size // 20)
                file.write((CANARY * (size // len(CANARY) + 1)).encode()[:size * 9 // 10])
            os.chmod(path, before.st_mode)
            if not is_seen:
                os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
                server.pause(goes_on=True)
            # Whatever is asked meanwhile, a fault says no more than that there is nothing.
            statuses = set()
            for ref in refs:
                answer = server.ask("/trip/" + ref, name="looking")
                statuses.add(answer.status)
                self.assertIn(answer.status, (200, 404))
                self.assertNotIn(CANARY.encode(), answer.body)
                if answer.status == 404:
                    self.assertEqual(answer.body, missing.body)
                    self.assertEqual(set(answer.headers), set(missing.headers))
            # The damage was come upon before it was looked for.
            self.assertIn(404, statuses)
            self.until(server, lambda: server.ask("/readyz", name=None).json["status"] == "fallen_back", "it does not fall back",
                       PATIENCE if is_seen else SUSPICION + PATIENCE)
            self.assertEqual(server.ask("/readyz", name=None).json["generation"], 1)
            for question in ["/kpi", "/trips?limit=5", "/trip/" + refs[0]]:
                answer = server.ask(question, name="looking")
                self.assertEqual(answer.status, 200)
                self.assertEqual(answer.json["generation"], 1)
            self.assertIn("triptych_fallen_back 1", server.ask("/metrics", name=None).body.decode())
            server.stop()
            lines = [json.loads(line) for line in server.log]
            said = [line for line in lines if line["message"] == "the published generation cannot be served"]
            self.assertEqual([(line["level"], line["generation"]) for line in said], [("error", "2")])
            self.assertNotIn(CANARY, "".join(server.log))


if __name__ == "__main__":
    FOLDER, MART = sys.argv.pop(), sys.argv.pop()
    unittest.main()
