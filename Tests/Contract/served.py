"""A server over a mart, as its own process, and what its contract says of an answer."""

import http.client
import json
import re
import signal
import subprocess
import threading

import yaml
from openapi_schema_validator import OAS30ReadValidator


class Server:
    """Runs `triptych-server serve` on a free port until the block is left."""

    def __init__(self, mart, options=()):
        self._command = ["triptych-server", "serve", "--mart", mart, "--port", "0", *options]

    def __enter__(self):
        self._process = subprocess.Popen(self._command, stderr=subprocess.PIPE, text=True)
        self.log, self.port, listening = [], None, threading.Event()

        def read():
            for line in self._process.stderr:
                self.log.append(line)
                found = re.search(r"port=(\d+)", line)
                if found:
                    self.port = int(found[1])
                    listening.set()
            listening.set()

        self._reader = threading.Thread(target=read)
        self._reader.start()
        listening.wait()
        if self.port is None:
            self.stop()
            raise RuntimeError("the server ended: " + "".join(self.log))
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Asks the server to end, and waits until it has; returns its status."""
        return self._end(signal.SIGTERM)

    def kill(self):
        """Ends the server without asking."""
        return self._end(signal.SIGKILL)

    def _end(self, by):
        if not self._process.stderr.closed:
            self._process.send_signal(by)
            self._reader.join()
            self._process.stderr.close()
        return self._process.wait()

    def ask(self, path, method="GET", headers=None):
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, headers=headers or {})
            return Answer(connection.getresponse())
        finally:
            connection.close()


class Answer:
    """What came back."""

    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def media_type(self):
        return self.headers.get("content-type")

    @property
    def json(self):
        return json.loads(self.body)


class Contract:
    """The OpenAPI document, asked whether it promises an answer."""

    def __init__(self, text):
        self.document = yaml.safe_load(text)

    def operations(self):
        """Every path and method it names."""
        for path, methods in self.document["paths"].items():
            for method in methods:
                yield path, method.upper()

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
