"""What the server's contract says of an answer."""

import yaml
from openapi_schema_validator import OAS30ReadValidator


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

    def _answers(self):
        """Every body it promises: of which answer, and what it says of it."""
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                for status, response in operation["responses"].items():
                    for media_type, content in self._resolved(response).get("content", {}).items():
                        yield f"{method.upper()} {path} {status} {media_type}", content

    def examples(self):
        """Every example it gives: where, and in what it differs from its schema."""
        named = [(name, schema, schema) for name, schema in self.document["components"]["schemas"].items()]
        for where, owner, schema in [*named, *((where, one, one["schema"]) for where, one in self._answers())]:
            if "example" in owner:
                yield where, self._breaches(schema, owner["example"], where)

    def without_example(self):
        """The answers in JSON of which it gives no example."""
        for where, content in self._answers():
            if "json" in where and "example" not in {**self._resolved(content["schema"]), **content}:
                yield where

    def _resolved(self, node):
        while "$ref" in node:
            steps = node["$ref"].removeprefix("#/").split("/")
            node = self.document
            for step in steps:
                node = node[step]
        return node

    def faults(self, path, method, answer):
        """In what an answer differs from what is promised; nothing where it does not."""
        promised = self.document["paths"][path][method.lower()]["responses"]
        response = promised.get(str(answer.status))
        if response is None:
            return [f"{method} {path}: status {answer.status} is not promised"]
        response = self._resolved(response)
        faults = []
        for name, header in response.get("headers", {}).items():
            header = self._resolved(header)
            value = answer.headers.get(name.lower())
            if value is None:
                if header.get("required"):
                    faults.append(f"{method} {path}: header {name} is missing")
                continue
            if header["schema"].get("type") == "integer":
                value = int(value)
            faults += self._breaches(header["schema"], value, f"{method} {path}: {name}")
        content = response.get("content")
        if content is None:
            return faults + ([f"{method} {path}: a body"] if answer.body else [])
        if answer.media_type not in content:
            return faults + [f"{method} {path}: media type {answer.media_type} is not promised"]
        is_json = "json" in answer.media_type
        value = answer.json if is_json else answer.body.decode()
        schema = content[answer.media_type]["schema"]
        return faults + self._breaches(schema, value, f"{method} {path} {answer.status}")

    def _breaches(self, schema, value, where):
        # References are looked up in the schema itself, so that it carries what they name.
        whole = {"allOf": [schema], "components": self.document["components"]}
        validator = OAS30ReadValidator(whole)
        return [f"{where}: {fault.json_path} {fault.message}" for fault in validator.iter_errors(value)]
