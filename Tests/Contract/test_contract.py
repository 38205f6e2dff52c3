"""The server's answers against its contract: every path, every filter, every kind of fault.

    python test_contract.py MART

MART is a mart with at least one generation; the server is the one on the path.
"""

import glob
import gzip
import itertools
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

import why
from contract import Contract
from served import CLIENT, ISSUER, Server, account
# Run along with the tests here.
from test_document import DocumentTest, source  # noqa: F401

MART = None
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]


class ContractTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(MART)
        cls.server.__enter__()
        cls.contract = Contract(cls.server.ask("/openapi.yaml").body.decode())
        # What every role may ask; signing in and runs have files of their own.
        own = ("/trips", "/trip/{id}", "/trip/{id}/reveal", "/", "/api", "/api/{page}")
        cls.paths = [path for path, _ in cls.contract.operations(("sign-in", "account", "runs")) if path not in own]

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def holds(self, path, query="", method="GET", headers=None, status=200, name="viewer"):
        """Asks, and expects a promised answer of a status."""
        answer = self.server.ask(path + query, method, headers, name=name)
        self.assertEqual(answer.status, status, path + query)
        self.assertEqual(self.contract.faults(path, method, answer), [])
        return answer

    def test_the_document_is_served_to_the_letter(self):
        self.assertEqual(self.server.ask("/openapi.yaml").body, source())
        self.assertGreaterEqual(len(self.paths), 7)

    def test_the_check_finds_faults(self):
        answer = self.server.ask("/kpi")
        self.assertNotEqual(self.contract.faults("/months", "GET", answer), [])
        answer.headers.pop("etag")
        self.assertEqual(len(self.contract.faults("/kpi", "GET", answer)), 1)
        answer.status = 418
        self.assertEqual(len(self.contract.faults("/kpi", "GET", answer)), 1)
        # A header that is not named, a security header that is gone, a body to HEAD, a status of another method.
        answer = self.server.ask("/kpi")
        self.assertEqual(len(self.contract.faults("/kpi", "HEAD", answer)), 1)
        answer.headers["server"] = "triptych"
        self.assertEqual(len(self.contract.faults("/kpi", "GET", answer)), 1)
        del answer.headers["server"], answer.headers["x-content-type-options"]
        self.assertEqual(len(self.contract.faults("/kpi", "GET", answer)), 1)
        answer = self.server.ask("/kpi", "PUT")
        self.assertEqual(len(self.contract.faults("/kpi", "GET", answer)), 1)
        self.assertEqual(len(self.contract.faults("/runs", "PUT", answer)), 1)

    def test_head_is_answered_as_get_and_what_a_path_does_not_know_with_what_it_does(self):
        account(MART, "methodical", "--role", "analyst")
        ref = self.server.ask("/trips?limit=1", name="methodical").json["trips"][0]["ref"]
        count = 0
        for path in self.contract.document["paths"]:
            asked = path.replace("{page}", "kpi").replace("{id}", ref if path.startswith("/trip/") else "0" * 32)
            statuses = {}
            for method in METHODS:
                if method == "POST" and method in self.contract.allowed(path):
                    continue
                answer = self.server.ask(asked, method, name="methodical")
                self.assertEqual(self.contract.faults(path, method, answer), [])
                statuses[method] = answer.status
                self.assertEqual(answer.status == 405, method not in self.contract.allowed(path), f"{method} {path}")
                count += 1
            self.assertEqual(statuses["HEAD"], statuses.get("GET"), path)
        self.assertGreater(count, 150)

    def test_refusals_that_no_browser_and_no_client_of_ours_meets_are_promised(self):
        cookie = {**CLIENT, "refresh_token_in": "cookie", "grant_type": "refresh_token"}
        foreign = {**FORM, "Origin": "https://elsewhere.test"}
        own = {**FORM, "Origin": ISSUER, "Cookie": "__Host-triptych-refresh=none"}
        page = {"Accept": "text/html"}
        for path, method, headers, fields, status in [
            ("/token", "POST", foreign, cookie, 403), ("/revoke", "POST", foreign, cookie, 403),
            ("/token", "POST", own, cookie, 400), ("/revoke", "POST", own, cookie, 200),
            ("/token", "POST", FORM, {"code": "\0"}, 400), ("/revoke", "POST", {}, {}, 415),
            ("/authorize", "GET", {}, None, 400), ("/authorize", "GET", page, None, 400),
            ("/authorize", "POST", foreign, {}, 403), ("/account", "POST", {**foreign, **page}, {}, 403),
            ("/account", "POST", {**FORM, **page}, {"x": "a" * 20_000}, 413), ("/forgotten", "GET", page, None, 404),
            ("/new-password", "GET", {}, None, 404), ("/account", "POST", page, {}, 415),
        ]:
            body = None if fields is None else urllib.parse.urlencode(fields)
            answer = self.server.ask(path, method, headers, body, name=None)
            self.assertEqual(answer.status, status, f"{method} {path} {headers}")
            self.assertEqual(self.contract.faults(path, method, answer), [])
            # What a browser forgets again.
            self.assertEqual("set-cookie" in answer.headers, headers == own)
            self.assertEqual("clear-site-data" in answer.headers, (path, status) == ("/revoke", 200))
        for path, method in self.contract.operations():
            asked = path.replace("{page}", "kpi").replace("{id}", "x")
            for headers, body, status in [
                ({"Transfer-Encoding": "gzip"}, None, 400), ({"Expect": "a miracle"}, None, 417),
                ({"Host": "elsewhere.test"}, None, 421), ({"X-Long": "a" * 20_000}, None, 431),
                *([({}, "x", 400)] if method == "GET" else []),
            ]:
                answer = self.server.ask(asked, method, headers, body, name=None)
                self.assertEqual(answer.status, status, f"{method} {path} {list(headers)}")
                self.assertEqual(self.contract.faults(path, method, answer), [])

    def test_every_filter_is_answered(self):
        """D84: `/kpi` for every combination of filters, as the contract says."""
        months = [m["month"] for m in self.holds("/months").json["months"]]
        types = [t["trip_type"] for t in self.holds("/trip-types").json["trip_types"]]
        regions = [r["region"] for r in self.holds("/regions").json["regions"]]
        spans = ["", "month=all"] + [f"month={m}" for m in months[-2:]]
        spans += [f"from={months[0]}", f"to={months[-1]}", f"from={months[0]}&to={months[-1]}"]
        count = 0
        for span, kind, region in itertools.product(spans, [""] + types, [""] + regions):
            parts = [span, kind and f"trip_type={kind}", region and f"region={region}"]
            query = "&".join(filter(None, parts))
            self.holds("/kpi", "?" + query if query else "")
            count += 1
        self.assertGreater(count, 50)

    def test_numbers_are_those_of_the_suppressed_cube(self):
        rows = sqlite3.connect(f"file:{MART}/kpi.sqlite?mode=ro&immutable=1", uri=True).execute(
            "SELECT month, trip_type, region, trips, in_house_trips, cost_cents FROM kpi_cube"
        )
        count = 0
        for month, kind, region, *numbers in rows:
            query = f"?month={month}&trip_type={kind}&region={region}"
            total = self.holds("/kpi", query).json["total"]
            self.assertEqual(
                numbers, [total["trips"], total["in_house_trips"], total["cost_cents"]], query
            )
            count += 1
        self.assertGreater(count, 50)

    def test_what_a_class_costs_is_said_where_four_in_five_of_its_trips_have_a_known_cost(self):
        account(MART, "counting", "--role", "administrator")
        classes = ["in_house", "contracted", "undetermined"]
        columns = [f"{one}_{word}" for one in classes for word in ("trips", "costed_trips", "cost_cents")]
        for name, file in [("counting", "triptych.sqlite"), ("viewer", "kpi.sqlite")]:
            rows = sqlite3.connect(f"file:{MART}/{file}?mode=ro&immutable=1", uri=True).execute(
                f"SELECT month, trip_type, region, {', '.join(columns)} FROM kpi_cube"
            )
            kept, left_out = 0, 0
            for month, kind, region, *numbers in rows:
                query = f"?month={month}&trip_type={kind}&region={region}"
                answer = self.server.ask("/kpi" + query, name=name)
                self.assertEqual(self.contract.faults("/kpi", "GET", answer), [])
                total = answer.json["total"]
                for index, one in enumerate(classes):
                    trips, costed, cents = numbers[3 * index:3 * index + 3]
                    self.assertEqual(total[f"{one}_costed_trips"], costed, query)
                    # Which of two numbers is hidden says nothing of the share, so that a cost beside one is not shown.
                    is_known = one == "undetermined" or None not in (trips, costed) and costed * 5 >= trips * 4
                    expected = cents if is_known else None
                    self.assertEqual(total[f"{one}_cost_cents"], expected, f"{name} {one} {query}")
                    kept += expected is not None and cents != 0
                    left_out += cents is not None and expected is None
            self.assertGreater(kept, 5, name)
            self.assertGreater(left_out, 50, name)

    def test_parts_of_a_change_are_made_of_what_the_caller_may_see_and_sum_exactly(self):
        account(MART, "counting", "--role", "administrator")
        account(MART, "regional", "--role", "administrator", "--region", "08", "--region", "10")
        months = [m["month"] for m in self.holds("/months").json["months"]]
        pairs = [*itertools.combinations(months[-4:], 2), (months[0], months[-1]), (months[0], months[1])]
        # A viewer gets what follows from the suppressed cube, and what is hidden in it as one; of months as thin as
        # these the totals are hidden, and MonthChangeTests has fuller ones.
        cubes = {
            "viewer": why.Cube(f"{MART}/kpi.sqlite"), "counting": why.Cube(f"{MART}/triptych.sqlite"),
            "regional": why.Cube(f"{MART}/triptych.sqlite", ["08", "10"]),
        }
        shown, hidden = dict.fromkeys(cubes, 0), dict.fromkeys(cubes, 0)
        for name, pair, (kind, region) in itertools.product(cubes, pairs, [("all", "all"), ("all", "08"), ("BLS", "all")]):
            query = f"?from={pair[0]}&to={pair[1]}&trip_type={kind}&region={region}"
            answer = self.server.ask("/kpi/why" + query, name=name)
            self.assertEqual((answer.status, self.contract.faults("/kpi/why", "GET", answer)), (200, []))
            for measure, change, amount in [("in_house", "change_hundredths", "hundredths"), ("contracted_cost", "change_cents", "cents")]:
                found = answer.json[measure]
                for key in ["region", "trip_type"]:
                    parts = found["by_" + key]
                    expected = cubes[name].parts(measure, key, pair, kind, region)
                    given = None if parts is None else [(one[key], one["kind"], one[amount]) for one in parts]
                    self.assertEqual(given, expected, f"{name} {query} {measure} {key}")
                    if parts:
                        self.assertEqual(sum(one[amount] for one in parts), found[change])
                        shown[name] += 1
                        hidden[name] += None in [one[key] for one in parts]
        self.assertEqual([hidden["counting"], hidden["regional"]], [0, 0])
        self.assertGreater(min(shown["counting"], shown["regional"]), 50)

    def test_two_different_months_with_trips_are_compared(self):
        months = [m["month"] for m in self.holds("/months").json["months"]]
        first, last = months[0], months[-1]
        for query, parameter in [
            ("", "from"), (f"?from={first}", "to"), (f"?from=all&to={last}", "from"), (f"?from={first}&to={first}", "to"),
            (f"?from={last}&to={first}", "to"), (f"?from={first}&to=2199-12", "to"), (f"?from=1900-01&to={last}", "from"),
            (f"?month={first}", "month"), (f"?from={first}&to={last}&region=nowhere", "region"), (f"?from=x&to={last}", "from"),
        ]:
            problem = self.holds("/kpi/why", query, status=400).json
            self.assertEqual(problem["parameter"], parameter, query)
        tag = self.holds("/kpi/why", f"?from={first}&to={last}").headers["etag"]
        self.holds("/kpi/why", f"?from={first}&to={last}", headers={"If-None-Match": tag}, status=304)

    def test_every_group_has_the_sums_in_the_order_of_the_document(self):
        required = self.contract.document["components"]["schemas"]["Sums"]["required"]
        answer = self.holds("/kpi").json
        self.assertEqual(list(answer["total"]), required)
        for group in ["by_month", "by_trip_type", "by_region"]:
            self.assertGreater(len(answer[group]), 2)
            for one in answer[group]:
                self.assertEqual(list(one)[2:], required, group)

    def test_trends_are_the_months_of_the_suppressed_cube(self):
        rows = sqlite3.connect(f"file:{MART}/kpi.sqlite?mode=ro&immutable=1", uri=True).execute(
            "SELECT month, trip_type, region, trips, cost_cents FROM kpi_cube WHERE month <> 'all'"
        )
        cells = {tuple(key): numbers for *key, trips, cost in rows for numbers in [(trips, cost)]}
        regions = [one["region"] for one in self.holds("/regions").json["regions"]]
        types = [one["trip_type"] for one in self.holds("/trip-types").json["trip_types"]]
        count = 0
        for kind, region in [("all", "all"), *((one, "all") for one in types), *(("all", one) for one in regions)]:
            trends = self.holds("/kpi/trends", f"?trip_type={kind}&region={region}").json
            entries = [((kind, region), trends["total"])]
            entries += [((kind, one["region"]), one) for one in trends["regions"]]
            entries += [((one["trip_type"], region), one) for one in trends["trip_types"]]
            for key, entry in entries:
                series = {name for name, value in entry.items() if isinstance(value, list)}
                self.assertGreater(series, {"trips", "in_house_pct", "contracted_cost_cents", "cost_per_trip_cents"})
                for name in series:
                    self.assertEqual(len(entry[name]), len(trends["months"]), f"{key} {name}")
                for index, month in enumerate(trends["months"]):
                    # Where types or regions have no details, the file has no row, and nothing is shown.
                    if (month, *key) in cells:
                        self.assertEqual((entry["trips"][index], entry["cost_cents"][index]), cells[month, *key], f"{month} {key}")
                        count += 1
                    else:
                        self.assertIn(entry["trips"][index], [0, None], f"{month} {key}")
        self.assertEqual(len(trends["goal_pct"]), len(trends["months"]))
        self.assertGreater(count, 100)

    def test_a_single_month_says_when_it_settles_and_what_it_is_compared_with(self):
        months = self.holds("/months").json["months"]
        shown = {one["month"]: one for one in self.holds("/kpi").json["by_month"]}
        kinds = set()
        for one in months:
            answer = self.holds("/kpi", f"?month={one['month']}").json
            self.assertEqual(answer["settles_on"], one["settles_on"] if one["month_open"] else None)
            found = answer["comparison"]
            kinds.add(found and found["kind"])
            if found is None or found["kind"] != "settled":
                continue
            self.assertEqual(found["generation"], answer["generation"])
            self.assertNotIn(found["month"], answer["open_months"])
            for name in ["trips", "contracted_trips", "undetermined_trips", "in_house_pct", "cost_cents", "contracted_cost_cents"]:
                self.assertEqual(found[name], shown[found["month"]][name], f"{one['month']} {name}")
        self.assertIn("settled", kinds)
        self.assertIsNone(self.holds("/kpi").json["comparison"])

    def test_nothing_changed_since_the_generation_itself(self):
        generation = self.holds("/kpi").json["generation"]
        for query in ["", "&month=all", "&region=" + self.holds("/regions").json["regions"][0]["region"]]:
            # Those who see small counts alone: the difference of two generations may be a single trip.
            self.assertIsNone(self.holds("/kpi", f"?since={generation}{query}").json["since"])
            change = self.holds("/kpi", f"?since={generation}{query}", name="reader").json["since"]
            self.assertEqual(change["generation"], generation)
            for name in ["trips", "in_house_pct", "cost_cents", "contracted_cost_cents"]:
                self.assertIn(change[name], [0, None])
        self.assertIsNone(self.holds("/kpi", f"?since={generation + 1}").json["since"])
        for since in ["0", "x", "-1", "1000000000"]:
            problem = self.holds("/kpi", f"?since={since}", status=400).json
            self.assertEqual((problem["code"], problem["parameter"]), ("bad_parameter", "since"))

    def test_known_answers_cost_no_body(self):
        for path in ["/kpi", "/kpi/trends", "/months", "/trip-types", "/regions", "/openapi.yaml"]:
            tag = self.holds(path).headers["etag"]
            self.holds(path, headers={"If-None-Match": tag}, status=304)
            self.holds(path, headers={"If-None-Match": '"0-0"'})

    def test_compressed_answers_are_the_same(self):
        for path in ["/kpi", "/kpi/trends", "/openapi.yaml", "/", "/api"]:
            plain = self.holds(path)
            answer = self.server.ask(path, headers={"Accept-Encoding": "gzip"})
            self.assertEqual(answer.headers["content-encoding"], "gzip")
            self.assertEqual(self.contract.faults(path, "GET", answer), [])
            self.assertEqual(gzip.decompress(answer.body), plain.body)
            self.assertNotEqual(answer.headers["etag"], plain.headers["etag"])
            for tag in [answer.headers["etag"], plain.headers["etag"]]:
                known = self.holds(path, headers={"If-None-Match": tag}, status=304)
                self.assertEqual(known.headers["etag"], tag)

    def test_the_pages_are_there_whatever_a_sign_in_sent_them(self):
        for path, query in itertools.product(["/", "/api"], ["", "?code=x&state=y"]):
            answer = self.server.ask(path + query, name=None)
            self.assertEqual((answer.status, self.contract.faults(path, "GET", answer)), (200, []))

    def test_every_subject_has_its_page_and_no_other_name_has_one(self):
        for page in [tag["name"] for tag in self.contract.document["tags"]] + ["errors", "nothing"]:
            answer = self.server.ask("/api/" + page, name=None)
            self.assertEqual(answer.status, 404 if page == "nothing" else 200, page)
            self.assertEqual(self.contract.faults("/api/{page}", "GET", answer), [])

    def test_faults_are_problems(self):
        """D87: also what fails is JSON."""
        for query, code, parameter in [
            ("?x=1", "unknown_parameter", "x"), ("?month=x", "bad_parameter", "month"),
            ("?region=nowhere", "bad_parameter", "region"), ("?from=2026-05&to=2026-04", "bad_parameter", "to"),
            ("?month=2026-05&month=2026-06", "unknown_parameter", "month"), ("?month=%", "bad_request", "month"),
            ("?tripType=BLS", "unknown_parameter", "tripType"), ("?1008000001V123456=1", "unknown_parameter", None),
            ("?no%20name=1", "unknown_parameter", None), ("?" + "x" * 33, "unknown_parameter", None),
        ]:
            problem = self.holds("/kpi", query, status=400).json
            self.assertEqual((problem["status"], problem["code"], problem.get("parameter")), (400, code, parameter), query)
        account(MART, "lister", "--role", "administrator")
        problem = self.holds("/trips", "?class=VA", status=400, name="lister").json
        self.assertEqual((problem["code"], problem["parameter"]), ("bad_parameter", "class"))
        for path in self.paths:
            self.assertEqual(self.holds(path, "?nothing=1", status=400).json["code"], "unknown_parameter")
            self.assertEqual(self.holds(path, "?nothing=1&nothing=1", status=400).json["code"], "unknown_parameter")

    def test_single_trips_are_not_for_everybody(self):
        for path, asked in [("/trips", "/trips"), ("/trips", "/trips?limit=0"), ("/trip/{id}", "/trip/x")]:
            answer = self.server.ask(asked)
            self.assertEqual(answer.status, 403)
            self.assertEqual(self.contract.faults(path, "GET", answer), [])

    def test_whoever_may_leafs_through_all_trips_and_opens_them(self):
        account(MART, "reader", "--role", "administrator")
        region = self.holds("/regions").json["regions"][0]["region"]
        query, count, refs = f"?region={region}&limit=40", 0, []
        while query:
            answer = self.server.ask("/trips" + query, name="reader")
            self.assertEqual(self.contract.faults("/trips", "GET", answer), [])
            page = answer.json
            refs += [trip["ref"] for trip in page["trips"]]
            query = page["next"] and f"?region={region}&limit=40&cursor={page['next']}"
            count += 1
        self.assertEqual(len(set(refs)), page["total"])
        self.assertEqual(len(refs), page["total"])
        self.assertGreater(count, 2)
        for ref in refs[:: len(refs) // 40]:
            answer = self.server.ask("/trip/" + ref, name="reader")
            self.assertEqual((answer.status, self.contract.faults("/trip/{id}", "GET", answer)), (200, []))
        other = refs[0][:-1] + ("B" if refs[0].endswith("A") else "A")
        for ref in [other, "x", refs[0] * 2]:
            answer = self.server.ask("/trip/" + ref, name="reader")
            self.assertEqual((answer.status, self.contract.faults("/trip/{id}", "GET", answer)), (404, []))

    def reveals(self, refs):
        """How many reveals of some trips by the reader are recorded."""
        command = ["triptych-server", "audit", "report", "--mart", MART, "--account", "reader"]
        report = subprocess.run(command, capture_output=True, text=True).stdout
        return sum(ref in refs for ref in re.findall(r" revealed +reader +(\S+)", report))

    def test_masked_fields_are_revealed_one_by_one_and_recorded(self):
        """D86, C4: masked by default; one field at a time is shown, after a young sign-in."""
        account(MART, "reader", "--role", "administrator")
        refs = [trip["ref"] for trip in self.server.ask("/trips?limit=20", name="reader").json["trips"]]
        revealed, asked, before = {}, 0, self.reveals(refs)
        for ref, field in itertools.product(refs[:8], ["patient_id", "provider_npi", "cost"]):
            answer = self.server.ask(
                f"/trip/{ref}/reveal", "POST", FORM, f"field={field}&reason=billing", "reader",
            )
            self.assertEqual((answer.status, self.contract.faults("/trip/{id}/reveal", "POST", answer)), (200, []))
            masked = self.server.ask("/trip/" + ref, name="reader").json["masked"][field]
            self.assertEqual(answer.json["value"] is None, masked is None)
            revealed.setdefault(field, []).append(answer.json["value"])
            asked += 1
        # What exports say, to the letter.
        exports = b""
        for path in filter(os.path.isfile, glob.glob(os.path.join(os.path.dirname(os.path.abspath(MART)), "in", "*"))):
            with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
                exports += file.read()
        for field in ["patient_id", "provider_npi"]:
            values = [value for value in revealed[field] if value is not None]
            self.assertGreater(len(values), 0)
            for value in values:
                self.assertIn(value.encode(), exports)
                self.assertNotIn(value, "".join(self.server.log))
        ending = subprocess.run(["triptych-server", "audit", "verify", "--mart", MART], capture_output=True, text=True)
        self.assertEqual(ending.returncode, 0, ending.stderr)
        noted = ending.stdout.split()[-1]
        self.assertEqual(self.reveals(refs), before + asked)
        # Somebody takes one entry out of the record.
        path = MART + ".identity/access-record"
        with open(path) as file:
            lines = file.readlines()
        with open(path, "w") as file:
            file.writelines(lines[:-1])
        for options in [[], ["--noted", noted]]:
            command = ["triptych-server", "audit", "verify", "--mart", MART, *options]
            self.assertEqual(subprocess.run(command, capture_output=True).returncode, 13)
        with open(path, "w") as file:
            file.writelines(lines)
        self.assertEqual(subprocess.run(command, capture_output=True).returncode, 0)

    def test_figures_are_for_this_machine_alone(self):
        self.holds("/kpi")
        figures = self.holds("/metrics").body.decode()
        self.assertRegex(figures, r'_count\{route="/kpi",method="GET",status="200"\} [1-9]')
        self.assertRegex(figures, r"\ntriptych_generation [1-9]")
        for name in ["Forwarded", "X-Forwarded-For", "Via"]:
            self.holds("/metrics", headers={name: "192.0.2.1"}, status=404)
        for word in [MART, "month=", "Bearer"]:
            self.assertNotIn(word, figures)

    def test_settings_come_from_flags_environment_and_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "server.conf")

            def check(text, *options, **environment):
                with open(path, "w") as file:
                    file.write(text)
                command = ["triptych-server", "serve", "--check", "--config", path, *options]
                ending = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
                return ending.returncode, ending.stdout + ending.stderr

            whole = f'# where\n\nTRIPTYCH_MART="{os.path.abspath(MART)}"\nTRIPTYCH_PORT = 0\n'.replace(" = ", "=")
            status, text = check(whole + "TRIPTYCH_ISSUER=https://a.test/\n")
            self.assertEqual(status, 0, text)
            self.assertRegex(text, r"users reach it at +https://a\.test\n")
            self.assertIn("https://b.test\n", check(whole, TRIPTYCH_ISSUER="https://b.test")[1])
            self.assertIn("https://c.test\n", check(whole, "--issuer", "https://c.test", TRIPTYCH_ISSUER="https://b.test")[1])
            for text, words in [
                ("TRIPTYCH_PROT=1", "line 1: there is no setting TRIPTYCH_PROT"), ("\nMART=1", "line 2 is no TRIPTYCH_NAME"),
                ("TRIPTYCH_PORT=1\nTRIPTYCH_PORT=1", "line 2: TRIPTYCH_PORT is there twice"), ("TRIPTYCH_PORT=x", "it is 'x'"),
                ("TRIPTYCH_HOST=0.0.0.0", "without a certificate"), ("TRIPTYCH_CERTIFICATE=x", "go together"),
                ("TRIPTYCH_REDIRECT_URIS=http://a.test/", "'http://a.test/' is not an address"), ("TRIPTYCH_PORT=0", "port 0 needs"),
            ]:
                found = check(text)
                self.assertEqual(found[0], 78, text)
                self.assertIn(words, found[1])

    def test_an_empty_mart_is_said_to_be_empty(self):
        with tempfile.TemporaryDirectory() as folder, Server(folder) as server:
            for path in self.paths:
                answer = server.ask(path)
                self.assertEqual(self.contract.faults(path, "GET", answer), [])
                self.assertEqual(answer.status, 200 if path in ("/healthz", "/metrics", "/openapi.yaml") else 503)

    def test_it_stops_when_told(self):
        server = Server(MART)
        with server:
            self.assertEqual(server.ask("/readyz").status, 200)
            self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    MART = sys.argv.pop(1)
    unittest.main(verbosity=1)
