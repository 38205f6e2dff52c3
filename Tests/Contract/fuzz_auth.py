"""Read by schemathesis: every request goes with the token that lies in a file, where `fuzz.py` puts a new one in time."""

import os

import schemathesis


@schemathesis.auth(refresh_interval=5)
class Fuzzer:
    def get(self, case, context):
        with open(os.environ["FUZZ_TOKEN"]) as file:
            return file.read()

    def set(self, case, token, context):
        case.headers["Authorization"] = "Bearer " + token
