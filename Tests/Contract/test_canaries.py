"""Nothing of a patient, and nothing of what anybody sends, lies or is said where it must not.

    python test_canaries.py MART EXPORTS

The patients of the exports are looked for, in eight encodings, in every file that the server and the night leave behind, in the server's
log and in every answer but a reveal; and so is a word of its own that is sent in every place of a request.
"""

import base64
import csv
import glob
import gzip
import itertools
import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

from served import PASSWORD, Server, account

MART, EXPORTS = None, None
WORD = "canary7731bird"


def encodings(text):
    """A text as it may lie somewhere: plain, reversed, hexadecimal, base 64, percent-encoded, UTF-16."""
    plain = text.encode()
    yield plain
    yield plain[::-1]
    yield plain.hex().encode()
    yield plain.hex().upper().encode()
    # In base 64, wherever in a group of three it begins; the ends depend on its neighbours.
    for shift in range(3):
        coded = base64.b64encode(bytes(shift) + plain)
        yield coded[4 if shift else 0:-4]
    yield "".join(f"%{byte:02x}" for byte in plain).encode()
    yield text.encode("utf-16-le")
    yield text.encode("utf-16-be")


class Canaries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        account(MART, "analyst", "--role", "analyst")
        cls.patients, trips, providers = set(), set(), set()
        for path in glob.glob(EXPORTS + "/*.csv*"):
            opened = gzip.open if path.endswith(".gz") else open
            with opened(path, "rt", newline="") as file:
                for record in csv.DictReader(file):
                    cls.patients.update(cell for cell in record.values() if cell and re.fullmatch(r"\d{10}V\d{6}", cell))
                    trips.update(cell for name, cell in record.items() if name == "trip_id" and cell)
                    providers.update(cell for name, cell in record.items() if name.endswith("npi") and cell)
        cls.patients = sorted(cls.patients)
        # What people behind a sign-in may see, and no log, figure or name of a file says.
        cls.inner = {each: name for name in [*sorted(trips)[::10], *sorted(providers)] for each in encodings(name)}
        assert len(trips) > 1000 and len(providers) > 20, (len(trips), len(providers))
        cls.spelled = {each: name for name in cls.patients[:: max(1, len(cls.patients) // 200)]
                       for each in encodings(name)}
        cls.folder = tempfile.mkdtemp()
        os.environ["TMPDIR"] = cls.folder
        # What a night says, and leaves in that folder, is looked at as well.
        night = subprocess.run(
            ["triptych", "run", os.environ["ROOT"] + "/pipelines/ambulance", "--mart", MART, "--input", EXPORTS,
             "--reference", EXPORTS + "/reference", "--full"], capture_output=True)
        assert night.returncode in (0, 10), night.stderr
        cls.night = night.stdout + night.stderr

    def hits(self, data, spelled=None):
        return [name for each, name in (spelled or self.spelled).items() if each in data]

    def test_there_are_patients_to_look_for(self):
        self.assertGreater(len(self.patients), 100)
        with open(glob.glob(MART + "/archive/**/*.csv*", recursive=True)[0], "rb") as file:
            whole = file.read()
        whole = gzip.decompress(whole) if whole[:2] == b"\x1f\x8b" else whole
        # Where they do lie, the search finds them.
        self.assertTrue(self.hits(whole))

    def test_no_patient_is_in_what_a_night_says(self):
        self.assertIn(b"trips", self.night)
        self.assertEqual(self.hits(self.night) + self.hits(self.night, self.inner), [])

    def test_nothing_of_its_memory_is_written_where_the_server_crashes(self):
        _, most = resource.getrlimit(resource.RLIMIT_CORE)
        if most == 0:
            self.skipTest("nothing is written of any program here")
        with Server(MART, before=lambda: resource.setrlimit(resource.RLIMIT_CORE, (most, most))) as server:
            with open(f"/proc/{server.number}/limits", encoding="ascii") as file:
                limits = re.search(r"Max core file size +(\S+) +(\S+)", file.read())
        self.assertEqual(limits.groups(), ("0", "0"))

    def test_no_patient_is_in_an_answer_or_a_log_or_a_file(self):
        """D78: after a night and a day of questions."""
        answers = []
        with Server(MART, ["--log-requests"]) as server:
            months = [one["month"] for one in server.ask("/months", name="analyst").json["months"]]
            paths = ["/kpi", f"/kpi/why?from={months[0]}&to={months[-1]}", "/trips?limit=200", "/months", "/trip-types", "/regions", "/runs", "/plans", "/kpi/trends", "/kpi/changes", "/openapi.yaml",
                     "/", "/api", "/api/trip", "/healthz", "/readyz", "/metrics", "/nowhere", "/trips?limit=0", "/trip/x"]
            for path, name in itertools.product(paths, ["analyst", "viewer", None]):
                answers.append(server.ask(path, name=name).body)
                answers.append(server.ask(path, headers={"Accept": "text/csv"}, name=name).body)
            trips, cursor = [], ""
            while cursor is not None:
                page = server.ask("/trips?limit=200" + cursor, name="analyst")
                answers.append(page.body)
                trips += [trip["ref"] for trip in page.json["trips"]]
                cursor = page.json["next"] and "&cursor=" + urllib.parse.quote(page.json["next"])
            for ref in trips[::5]:
                answers.append(server.ask(f"/trip/{ref}", name="analyst").body)
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            revealed = [server.ask(f"/trip/{ref}/reveal", "POST", form,
                                   "field=patient_id&reason=billing", name="analyst") for ref in trips[:20]]
            self.assertTrue(all(each.status == 200 for each in revealed))
            shown = {each.json["value"] for each in revealed} & set(self.patients)
            self.assertTrue(shown)
            self.spelled.update({each: name for name in shown for each in encodings(name)})
            for answer in answers:
                self.assertEqual(self.hits(answer), [])
            for ref in trips[:20]:
                self.assertEqual(self.hits(server.ask(f"/trip/{ref}", name="analyst").body), [])
            # Providers are masked, and trips are named by references.
            for answer in answers:
                self.assertEqual(self.hits(answer, self.inner), [])
            log = "".join(server.log)
            # The server remembers what it has open.
            self.assertEqual(server.stop(), 0)
        self.assertEqual(self.hits(log.encode()), [])
        self.assertEqual(self.hits(log.encode(), self.inner), [])
        names = "\n".join(glob.glob(MART + "*/**/*", recursive=True)).encode()
        self.assertEqual(self.hits(names, self.inner) + self.hits(names), [])
        self.assertEqual(self.hits_in_files(self.spelled), [])

    def hits_in_files(self, spelled):
        """Files that hold one of some words, but for the exports as they were delivered (decision 0005)."""
        found = []
        for folder in [MART, MART + ".identity", self.folder]:
            for path in glob.glob(folder + "/**/*", recursive=True):
                if os.path.isfile(path) and "/archive/" not in path:
                    with open(path, "rb") as file:
                        found += [(path, name) for name in self.hits(file.read(), spelled)]
        return found

    def test_nothing_that_is_sent_is_written_down(self):
        spelled = {each: WORD for each in encodings(WORD)}
        with Server(MART, ["--log-requests"]) as server:
            token = server.token("analyst")
            good = {"Authorization": "Bearer " + token}
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            for path in ["/kpi", "/trips", "/months", "/runs", "/nowhere", "/metrics", "/authorize", "/account"]:
                for method in ["GET", "POST", "PUT", WORD.upper()]:
                    for headers in [good, {"Authorization": "Bearer " + WORD}, {"Authorization": WORD},
                                    {**good, "User-Agent": WORD, "Cookie": WORD, "Referer": WORD, WORD: WORD},
                                    {**good, "If-None-Match": WORD}, {**good, "Idempotency-Key": "x y " + WORD},
                                    {**good, **form, "Content-Type": WORD}, {**good, "Origin": "https://" + WORD}]:
                        body = f"a={WORD}" if method == "POST" else None
                        for query in ["", f"?{WORD}={WORD}", f"?month={WORD}", f"?cursor={WORD}", f"?region={WORD}"]:
                            server.ask(path + query, method, headers, body, name=None)
            for path in [f"/{WORD}", f"/trip/{WORD}", f"/trip/{WORD}/reveal", f"/runs/{WORD}", f"/runs/{WORD}/cancel"]:
                for method in ["GET", "POST"]:
                    server.ask(path, method, {**good, **form}, f"field={WORD}&reason={WORD}", name=None)
            for fields in [{"username": WORD, "password": WORD}, {"ticket": WORD, "step": WORD},
                           {"passkey": WORD, "client_data": WORD, "signature": WORD}]:
                server.send("/account", fields)
                server.send("/authorize", {**fields, "client_id": WORD})
            # Line ends forge no line.
            for end in ["%0d%0a", "%0a", "%0d", "%e2%80%a8"]:
                forged = f"{end}2026-01-01T00:00:00+0000 info {WORD}"
                for path in ["/kpi?month=" + forged, "/" + forged, "/trip/" + forged, "/authorize?state=" + forged]:
                    server.ask(path.replace(" ", "%20"), headers=good, name=None)
            server.code(WORD, "v" * 43, WORD)
            server.send("/token", {"grant_type": "refresh_token", "refresh_token": WORD, "client_id": WORD})
            log = "".join(server.log).encode()
            self.assertEqual(server.stop(), 0)
        self.assertIn(b"/kpi", log)
        for line in log.splitlines():
            self.assertRegex(line, rb"^\d{4}-\d\d-\d\dT\S+ (info|notice|warning|error) triptych-server: ")
        self.assertEqual(self.hits(log.lower(), spelled), [])
        self.assertEqual(self.hits_in_files(spelled), [])

    def test_no_password_is_written_down(self):
        spelled = {each: PASSWORD for each in encodings(PASSWORD)}
        with Server(MART) as server:
            server.sign_in("viewer")
            log = "".join(server.log).encode()
        self.assertEqual(self.hits(log, spelled), [])
        self.assertEqual(self.hits_in_files(spelled), [])
        # What is kept of it is a hash, which a copy of the file can be searched for.
        found = subprocess.run(["grep", "-c", "scrypt", f"{MART}.identity/accounts.sqlite"], capture_output=True)
        self.assertEqual(found.returncode, 0)


if __name__ == "__main__":
    EXPORTS, MART = sys.argv.pop(), sys.argv.pop()
    unittest.main()
