"""Three scanners look at the server's TLS: sslscan, testssl.sh and sslyze.

    python test_scans.py MART FOLDER SSLYZE
"""

import json
import os
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from served import Server

MART = FOLDER = SSLYZE = None

# What testssl reports and is no finding here, each with its reason.
ACCEPTED = {
    # GOST ciphers are missing in the scanner's own library.
    "engine_problem": "WARN",
    # A certificate that the test has made itself has nobody who could revoke it.
    "cert_revocation": "HIGH",
    # Answers are compressed. BREACH needs a stranger who makes a browser ask with somebody's credentials: tokens are sent
    # by the dashboard's own code and never by the browser by itself, and what is compressed holds no secret.
    "BREACH": "MEDIUM",
}


def openssl(*words):
    subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=FOLDER)


def certify():
    """A certificate as an authority gives it out: signed by another one, and no authority itself."""
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", "-x509", *curve, "-subj", "/CN=Test authority", "-days", "90",
            "-addext", "keyUsage=critical,keyCertSign", "-out", "ca.pem", "-keyout", "ca.key")
    openssl("req", "-new", *curve, "-subj", "/CN=localhost", "-out", "leaf.csr", "-keyout", "leaf.key")
    with open(f"{FOLDER}/leaf.ext", "w") as extensions:
        extensions.write(
            "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\n"
            "subjectAltName=DNS:localhost,IP:127.0.0.1\nauthorityKeyIdentifier=keyid\nsubjectKeyIdentifier=hash\n"
        )
    openssl("x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "90",
            "-extfile", "leaf.ext", "-out", "leaf.pem")
    os.chmod(f"{FOLDER}/leaf.key", 0o600)


def scan(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=500, cwd=FOLDER)


class ScanTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        certify()
        cls.server = Server(MART, certificate=(f"{FOLDER}/leaf.pem", f"{FOLDER}/leaf.key"))
        cls.server.__enter__()
        cls.place = f"localhost:{cls.server.port}"

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def test_sslscan_finds_tls_13_alone(self):
        ended = scan("sslscan", "--xml=-", "--no-colour", self.place)
        found = xml.etree.ElementTree.fromstring(ended.stdout).find("ssltest")
        versions = {(one.get("type"), one.get("version")) for one in found.iter("protocol") if one.get("enabled") == "1"}
        self.assertEqual(versions, {("tls", "1.3")})
        ciphers = {one.get("cipher") for one in found.iter("cipher")}
        self.assertEqual(ciphers, {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"})
        self.assertEqual({one.get("vulnerable") for one in found.iter("heartbleed")}, {"0"})

    def test_testssl_finds_nothing(self):
        """D82: one of three scanners."""
        scan("testssl", "--color", "0", "--quiet", "--warnings", "batch", "--nodns", "none", "--add-ca", "ca.pem",
             "--jsonfile", "testssl.json", f"https://{self.place}")
        with open(f"{FOLDER}/testssl.json") as file:
            entries = json.load(file)
        self.assertGreater(len(entries), 100)
        self.assertNotIn("scanProblem", {one["id"] for one in entries})
        found = {one["id"]: one["severity"] for one in entries if one["severity"] not in ("OK", "INFO")}
        self.assertEqual({name: severity for name, severity in found.items() if ACCEPTED.get(name) != severity}, {})

    def test_sslyze_finds_what_mozilla_calls_modern(self):
        ended = scan(SSLYZE, "--mozilla_config", "modern", "--certinfo_ca_file", f"{FOLDER}/ca.pem", self.place)
        said = ended.stdout[ended.stdout.find("COMPLIANCE"):]
        self.assertEqual(ended.returncode, 0, said)
        self.assertIn("OK - Compliant", said)


if __name__ == "__main__":
    MART, FOLDER, SSLYZE = (os.path.abspath(path) for path in sys.argv[1:4])
    unittest.main(argv=sys.argv[:1])
