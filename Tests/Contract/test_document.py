"""The contract by itself: it is OpenAPI, its examples are true, and its answers are closed.

    python test_document.py
"""

import glob
import os
import re
import unittest

from openapi_spec_validator import OpenAPIV30SpecValidator

from contract import SECURITY, Contract

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Sources/TripServer")
# The statuses of problems as the sources name them.
STATUSES = {
    "badRequest": (400, "Bad Request"), "unauthorized": (401, "Unauthorized"), "forbidden": (403, "Forbidden"),
    "notFound": (404, "Not Found"), "methodNotAllowed": (405, "Method Not Allowed"),
    "requestTimeout": (408, "Request Timeout"), "conflict": (409, "Conflict"), "gone": (410, "Gone"),
    "contentTooLarge": (413, "Content Too Large"), "unsupportedMediaType": (415, "Unsupported Media Type"),
    "expectationFailed": (417, "Expectation Failed"), "misdirectedRequest": (421, "Misdirected Request"),
    "tooManyRequests": (429, "Too Many Requests"),
    "requestHeaderFieldsTooLarge": (431, "Request Header Fields Too Large"),
    "internalServerError": (500, "Internal Server Error"), "serviceUnavailable": (503, "Service Unavailable"),
}


def source():
    """The document's bytes as they lie among the sources."""
    with open(SOURCES + "/API/health-dashboard.yaml", "rb") as file:
        return file.read()


def problems():
    """Every problem that the server's sources can answer: status, title, code and detail."""
    text = r'"((?:[^"\\]|\\.)*)"'
    found = set()
    for path in glob.glob(SOURCES + "/**/*.swift", recursive=True):
        with open(path, encoding="utf-8") as file:
            swift = file.read()
        words = {name: word for name, word in re.findall(r"let (\w+) = " + text, swift)}
        for status, code, detail, name in re.findall(
            r'Problem\(\s*status: \.(\w+),\s*code: "(\w+)",\s*detail:\s*(?:' + text + r"|(\w+))", swift
        ):
            # What is wrong with a parameter is said where it is read.
            if code not in ("bad_parameter", "unknown_parameter"):
                found.add((*STATUSES[status], code, detail or words[name]))
        for detail in re.findall(r'\.parameter\(\s*(?:"\w+"|\w+),\s*' + text, swift):
            found.add((*STATUSES["badRequest"], "bad_parameter", detail))
        for detail in re.findall(r'unknownParameter\(\s*name,\s*' + text, swift):
            found.add((*STATUSES["badRequest"], "unknown_parameter", first_sentence(detail)))
    return found


def first_sentence(text):
    return re.match(r"[^.]*\.", text)[0]


class DocumentTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.contract = Contract(source())

    def test_the_document_is_openapi(self):
        """D83: OpenAPI 3.0, by a validator that knows the standard."""
        self.assertEqual(list(OpenAPIV30SpecValidator(self.contract.document).iter_errors()), [])
        self.assertGreaterEqual(len(list(self.contract.operations())), 28)

    def test_every_answer_has_an_example_that_is_as_its_schema_says(self):
        examples = list(self.contract.examples())
        self.assertEqual([fault for _, faults in examples for fault in faults], [])
        self.assertGreater(len(examples), 250)
        self.assertEqual(list(self.contract.without_example()), [])

    def test_every_problem_is_shown_as_the_server_has_it_under_its_own_status(self):
        known = problems()
        codes = set(self.contract.document["components"]["schemas"]["Problem"]["properties"]["code"]["enum"])
        self.assertEqual({code for _, _, code, _ in known}, codes)
        shown = set()
        for where, status, example in self.contract.problems():
            self.assertEqual(example["status"], status, where)
            detail = example["detail"]
            if example["code"] == "unknown_parameter":
                # After it come the names that the path knows.
                detail = first_sentence(detail)
            self.assertIn((status, example["title"], example["code"], detail), known, where)
            shown.add(example["code"])
        self.assertEqual(shown, codes)

    def test_answers_have_no_members_but_those_that_are_named(self):
        self.assertEqual(list(self.contract.open_objects()), [])

    def test_every_group_has_the_same_sums(self):
        schemas = self.contract.document["components"]["schemas"]
        sums = schemas["Sums"]
        for name, own in [("MonthSums", 2), ("TripTypeSums", 2), ("RegionSums", 2)]:
            self.assertEqual(schemas[name]["required"][own:], sums["required"], name)
            # A pipeline's own measures are there only where it declares some.
            self.assertEqual(
                list(schemas[name]["properties"])[own:], [*sums["required"], "measures"], name)
            for member in sums["required"]:
                self.assertEqual(schemas[name]["properties"][member], sums["properties"][member], f"{name} {member}")

    def test_every_operation_has_a_page(self):
        tags = [tag["name"] for tag in self.contract.document["tags"]]
        [page] = self.contract.document["paths"]["/api/{page}"]["get"]["parameters"][:1]
        self.assertEqual(page["schema"]["enum"], [*tags, "errors"])
        for path, methods in self.contract.document["paths"].items():
            for operation in methods.values():
                self.assertEqual(len(operation["tags"]), 1, path)
                self.assertIn(operation["tags"][0], tags, path)

    def test_the_headers_of_every_answer_are_named(self):
        words = self.contract.document["info"]["description"].lower()
        for name in SECURITY:
            self.assertIn(name, words)


if __name__ == "__main__":
    unittest.main()
