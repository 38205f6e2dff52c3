"""What the server's contract says of an answer."""

import gzip
import json

import yaml
from openapi_schema_validator import OAS30ReadValidator

# The headers that every answer has, and how they begin.
SECURITY = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=()",
}
# By which an answer is carried, whatever it says; OpenAPI leaves the first out by itself. The last is there over TLS alone.
FRAMING = {"content-type", "content-length", "transfer-encoding", "connection", "date", "strict-transport-security"}


class Contract:
    """The OpenAPI document, asked whether it promises an answer."""

    def __init__(self, text):
        self.document = yaml.safe_load(text)

    def operations(self, but=()):
        """Every path and method it names, but for those under some tags."""
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                if not set(but) & set(operation["tags"]):
                    yield path, method.upper()

    def allowed(self, path):
        """The methods of a path: `HEAD` goes with `GET`, without being named."""
        named = {method.upper() for method in self.document["paths"][path]}
        return named | ({"HEAD"} if "GET" in named else set())

    def bodies(self):
        """Every body it promises: of which answer, and what it says of it."""
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                for status, response in operation["responses"].items():
                    for media_type, content in self._resolved(response).get("content", {}).items():
                        yield f"{method.upper()} {path} {status} {media_type}", content

    def _inputs(self):
        """Every parameter and every form it takes: where, and what it says of it."""
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                for parameter in map(self._resolved, operation.get("parameters", [])):
                    yield f"{method.upper()} {path} {parameter['name']}", parameter
                for content in operation.get("requestBody", {}).get("content", {}).values():
                    yield f"{method.upper()} {path} form", content

    def examples(self):
        """Every example it gives: where, and in what it differs from its schema."""
        named = [(name, schema, schema) for name, schema in self.document["components"]["schemas"].items()]
        placed = [*self.bodies(), *self._inputs()]
        for where, owner, schema in [*named, *((where, one, one["schema"]) for where, one in placed)]:
            for value in self._examples(owner):
                yield where, self._breaches(schema, value, where)

    def problems(self):
        """Every example of a problem document: where, the status it stands under, and itself."""
        for where, content in self.bodies():
            if "problem" in where:
                for value in self._examples(content):
                    yield where, int(where.split()[2]), value
        for value in self._examples(self.document["components"]["schemas"]["Problem"]):
            yield "Problem", value["status"], value

    def without_example(self):
        """What is sent, and the answers in JSON, of which it gives no example; one of a problem's schema is none of its status."""
        for where, content in self._inputs():
            if not self._examples(content):
                yield where
        for where, content in self.bodies():
            own = self._examples(content)
            if "json" in where and not own and ("problem" in where or "example" not in self._resolved(content["schema"])):
                yield where

    def open_objects(self):
        """The objects in its answers that may have members it does not name."""
        known = set()

        def walk(schema, where):
            if "$ref" in schema:
                where = schema["$ref"]
                if where in known:
                    return
                known.add(where)
                schema = self._resolved(schema)
            if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
                yield where
            for name, member in schema.get("properties", {}).items():
                yield from walk(member, f"{where} {name}")
            for member in [schema.get("items"), *schema.get("allOf", []), *schema.get("oneOf", [])]:
                if member:
                    yield from walk(member, where)

        for where, content in self.bodies():
            yield from walk(content["schema"], where)

    def _examples(self, owner):
        named = [self._resolved(one)["value"] for one in owner.get("examples", {}).values()]
        return named + ([owner["example"]] if "example" in owner else [])

    def _resolved(self, node):
        while "$ref" in node:
            steps = node["$ref"].removeprefix("#/").split("/")
            node = self.document
            for step in steps:
                node = node[step]
        return node

    def _promised(self, path, method, status):
        """What it says of the answers of a status; None where it says nothing of such."""
        operations = self.document["paths"][path]
        if method not in self.allowed(path):
            # Whichever operation one looks at says the same of what the path does not know.
            known = [one["responses"].get("405") for one in operations.values()] if status == 405 else [None]
            return None if None in known else self._resolved(known[0])
        operation = operations["get" if method == "HEAD" else method.lower()]
        response = operation["responses"].get(str(status)) if status != 405 else None
        return None if response is None else self._resolved(response)

    def faults(self, path, method, answer):
        """In what an answer differs from what is promised; nothing where it does not."""
        where = f"{method} {path}"
        response = self._promised(path, method, answer.status)
        if response is None:
            return [f"{where}: status {answer.status} is not promised"]
        faults = self._header_faults(where, response.get("headers", {}), answer.headers)
        if answer.status == 405 and set(answer.headers.get("allow", "").split(", ")) != self.allowed(path):
            faults.append(f"{where}: Allow is {answer.headers.get('allow')}")
        content = response.get("content")
        if method == "HEAD" or content is None:
            faults += [f"{where}: a body"] if answer.body else []
        if content is None:
            return faults
        if answer.media_type not in content:
            return faults + [f"{where}: media type {answer.media_type} is not promised"]
        if method == "HEAD":
            return faults
        is_gzip = answer.headers.get("content-encoding") == "gzip"
        text = (gzip.decompress(answer.body) if is_gzip else answer.body).decode()
        value = json.loads(text) if "json" in answer.media_type else text
        return faults + self._breaches(content[answer.media_type]["schema"], value, f"{where} {answer.status}")

    def _header_faults(self, where, promised, sent):
        faults = []
        for name, header in promised.items():
            header = self._resolved(header)
            value = sent.get(name.lower())
            if value is None:
                if header.get("required"):
                    faults.append(f"{where}: header {name} is missing")
                continue
            if header["schema"].get("type") == "integer":
                value = int(value)
            faults += self._breaches(header["schema"], value, f"{where}: {name}")
        faults += [
            f"{where}: header {name} is not promised"
            for name in sent if name not in {*SECURITY, *FRAMING, *map(str.lower, promised)}
        ]
        return faults + [
            f"{where}: {name} is {sent.get(name)}"
            for name, begin in SECURITY.items() if not sent.get(name, "").startswith(begin)
        ]

    def _breaches(self, schema, value, where):
        # References are looked up in the schema itself, so that it carries what they name.
        whole = {"allOf": [schema], "components": self.document["components"]}
        validator = OAS30ReadValidator(whole)
        return [f"{where}: {fault.json_path} {fault.message}" for fault in validator.iter_errors(value)]
