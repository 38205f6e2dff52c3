"""Read by schemathesis: what goes along with its requests, and what is looked at in every answer.

What it thinks up looks right and names nothing that is there: no trip, no client, no password. So every second request that is
meant to be taken gets names of things that are, from a file that `fuzz.py` wrote, or from answers before.
"""

import collections
import functools
import json
import os
import re
import threading

import schemathesis
import yaml
from schemathesis.core.media_types import YAML_MEDIA_TYPES

from contract import SECURITY


# Of those for one family the first that was registered is asked.
@schemathesis.deserializer(*YAML_MEDIA_TYPES)
def document(_, answer):
    """The contract is asked for a thousand times and more, and is the same; reading it takes half a second."""
    return read(answer.content)


@functools.lru_cache
def read(text):
    return yaml.load(text, Loader=yaml.CSafeLoader)


class Known:
    """What is there to be asked for; several threads ask."""

    def __init__(self, path):
        with open(path) as file:
            values = json.load(file)
        self.refs, self.regions, self.trip_types, self.months = (
            values[name] for name in ("refs", "regions", "trip_types", "months")
        )
        self.client, self.person, self.refresh_token = values["client"], values["person"], values["refresh_token"]
        # Somebody else, whose password may be set anew.
        self.owner = values["owner"]
        # The first stays open for those who look at the page.
        self.open_link, *self.links = values["links"]
        self.new_password = values["new_password"]
        self.runs, self.cursor, self.ticket = [], None, None
        self._lock, self._counts = threading.Lock(), collections.Counter()

    def turn(self, label):
        """How many requests of an operation came before this one."""
        with self._lock:
            self._counts[label] += 1
            return self._counts[label] - 1

    def link(self):
        """A way to a new password that nobody went yet; in the end the one that is open for all."""
        with self._lock:
            return self.links.pop() if self.links else self.open_link

    def of(self, names, turn):
        return names[turn % len(names)] if names else None


KNOWN = Known(os.environ["FUZZ_VALUES"])
# How many trips a page has of the list that is leafed through.
LEAFING = 7
# As an application asks; the challenge is that of RFC 7636, appendix B.
ASKED = {
    **KNOWN.client, "response_type": "code", "state": "a state", "code_challenge_method": "S256",
    "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
}


@schemathesis.auth(refresh_interval=5)
class Fuzzer:
    """Every request goes with the token that lies in a file, where `fuzz.py` puts a new one in time."""

    def get(self, case, context):
        with open(os.environ["FUZZ_TOKEN"]) as file:
            return file.read()

    def set(self, case, token, context):
        case.headers["Authorization"] = "Bearer " + token


@schemathesis.hook
def before_call(context, case, kwargs):
    label = case.operation.label
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    turn = KNOWN.turn(label)
    if turn % 2 == 0:
        give_path(case, label, turn // 2)
        give_query(case, label, turn // 2)
        give_form(case, label, turn // 2)


def give_path(case, label, turn):
    names = KNOWN.refs if "/trip/" in label else KNOWN.runs if "/runs/" in label else []
    if names:
        case.path_parameters = {**case.path_parameters, "id": KNOWN.of(names, turn)}


# What is thought up is a pattern for later requests, also for those that shall be refused: it is replaced, not changed.
def give_query(case, label, turn):
    # A month, or the first of a span of months: never both.
    span = {
        "from" if turn % 2 else "month": KNOWN.of(KNOWN.months, turn), "region": KNOWN.of(KNOWN.regions, turn),
        "trip_type": KNOWN.of(KNOWN.trip_types, turn),
    }
    if label == "GET /kpi" or label == "GET /trips" and turn % 2:
        case.query = span
    elif label == "GET /kpi/why":
        case.query = {"from": KNOWN.months[0], "to": KNOWN.months[-1], **({"region": span["region"]} if turn % 2 else {})}
    elif label == "GET /trips":
        case.query = {"limit": LEAFING, **({"cursor": KNOWN.cursor} if KNOWN.cursor else {})}
    elif label == "GET /authorize":
        case.query = ASKED
    elif label == "GET /new-password":
        case.query = {"token": KNOWN.open_link}


def give_form(case, label, turn):
    form = case.body
    if not isinstance(form, dict):
        return
    if label == "POST /authorize":
        case.body = {**ASKED, **KNOWN.person}
    elif label == "POST /account":
        # What goes with a ticket stays as it was thought up.
        case.body = {**form, "ticket": KNOWN.ticket} if KNOWN.ticket and turn % 2 else KNOWN.owner
    elif label == "POST /new-password":
        case.body = {"token": KNOWN.link(), "password": KNOWN.new_password}
    elif label == "POST /token" and KNOWN.refresh_token:
        case.body = {
            "grant_type": "refresh_token", "client_id": KNOWN.client["client_id"], "refresh_token": KNOWN.refresh_token,
        }
    elif label == "POST /revoke":
        case.body = {"client_id": KNOWN.client["client_id"], "token": form.get("token") or "none"}
    if label in ("POST /token", "POST /revoke"):
        # A client that shows a secret there is another server's.
        case.headers.pop("Authorization", None)


@schemathesis.hook
def after_call(context, case, response):
    label = case.operation.label
    if response.status_code == 202 and label == "POST /runs":
        KNOWN.runs.append(response.json()["id"])
    if response.status_code == 200 and label == "GET /trips" and case.query and case.query.get("limit") == LEAFING:
        KNOWN.cursor = response.json()["next"]
    if response.status_code == 200 and label == "POST /account":
        found = re.search(r'name="ticket" value="([^"]+)"', response.text)
        KNOWN.ticket = found[1] if found else None
        if case.body.get("step") == "set_password":
            KNOWN.owner = {**KNOWN.owner, "password": case.body["password"]}
    if label == "POST /token" and isinstance(case.body, dict) and case.body.get("refresh_token") == KNOWN.refresh_token:
        # One that is refused is asked for no more: a token that comes again late ends its session.
        KNOWN.refresh_token = response.json().get("refresh_token") if response.status_code == 200 else None


@schemathesis.check
def every_answer_has_the_headers_of_all(ctx, response, case):
    """What browsers are told by every answer, and what none says (RELIABILITY §3, headers)."""
    sent = {name.lower(): ", ".join(values) for name, values in response.headers.items()}
    for name, begin in SECURITY.items():
        assert sent.get(name, "").startswith(begin), f"{name} is {sent.get(name)}"
    assert sent.get("cache-control") in ("no-store", "private, no-cache"), f"Cache-Control is {sent.get('cache-control')}"
    told = {"server", "x-powered-by", "access-control-allow-origin"} & set(sent)
    assert not told, f"{told} are sent"
