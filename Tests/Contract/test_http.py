"""Requests that are not quite HTTP, over plain sockets: each is refused or closed, and nobody else notices.

    python test_http.py MART
"""

import re
import socket
import sys
import time

from served import Server

HOST = b"Host: localhost\r\n"
END = b"\r\n"


FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"


def post(headers, body, path=b"/token"):
    return b"POST " + path + b" HTTP/1.1\r\n" + HOST + FORM + headers + END + body


def get(path=b"/kpi", version=b"HTTP/1.1", headers=HOST, body=b""):
    return b"GET " + path + b" " + version + b"\r\n" + headers + END + body


# What is sent, and the status that comes back. Nothing is closed without a word.
REFUSED = 400
TOO_LARGE = 431
CASES = {
    "length and chunks": (b"POST /kpi HTTP/1.1\r\n" + HOST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n", REFUSED),
    "chunks and length": (b"POST /kpi HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n", REFUSED),
    "two lengths": (get(headers=HOST + b"Content-Length: 1\r\nContent-Length: 2\r\n", body=b"ab"), REFUSED),
    "lengths in a list": (get(headers=HOST + b"Content-Length: 1, 2\r\n", body=b"ab"), REFUSED),
    "negative length": (get(headers=HOST + b"Content-Length: -1\r\n"), REFUSED),
    "length with a sign": (get(headers=HOST + b"Content-Length: +1\r\n", body=b"a"), REFUSED),
    "hexadecimal length": (get(headers=HOST + b"Content-Length: 0x1\r\n", body=b"a"), REFUSED),
    "length beyond 64 bits": (get(headers=HOST + b"Content-Length: 99999999999999999999\r\n"), REFUSED),
    "blank length": (get(headers=HOST + b"Content-Length: \r\n"), REFUSED),
    "other coding": (get(headers=HOST + b"Transfer-Encoding: gzip\r\n"), REFUSED),
    "chunked not last": (get(headers=HOST + b"Transfer-Encoding: chunked, identity\r\n"), REFUSED),
    "chunked twice": (get(headers=HOST + b"Transfer-Encoding: chunked, chunked\r\n", body=b"0\r\n\r\n"), REFUSED),
    "a coding nobody knows": (get(headers=HOST + b"Transfer-Encoding: xchunked\r\n"), REFUSED),
    "bad chunk size": (post(b"Transfer-Encoding: chunked\r\n", b"zz\r\n\r\n"), REFUSED),
    "chunk beyond 64 bits": (post(b"Transfer-Encoding: chunked\r\n", b"fffffffffffffffff\r\n"), REFUSED),
    "a body that is cut off": (post(b"Content-Length: 30\r\n", b"grant_type=refre"), REFUSED),
    "a chunk that is cut off": (post(b"Transfer-Encoding: chunked\r\n", b"1e\r\ngrant_type=refre"), REFUSED),
    "a form of 17 KiB": (post(b"Content-Length: 17408\r\n", b"a" * 17408), 413),
    "a chunked form of 17 KiB": (post(b"Transfer-Encoding: chunked\r\n", b"4400\r\n" + b"a" * 17408 + b"\r\n0\r\n\r\n"), 413),
    "space before the colon": (get(headers=HOST + b"X-A : b\r\n"), REFUSED),
    "folded header": (get(headers=HOST + b"X-A: b\r\n c\r\n"), REFUSED),
    "header without a colon": (get(headers=HOST + b"nonsense\r\n"), REFUSED),
    "header without a name": (get(headers=HOST + b": b\r\n"), REFUSED),
    "NUL in a header": (get(headers=HOST + b"X-A: a\0b\r\n"), REFUSED),
    "NUL in a name": (get(headers=HOST + b"X\0A: b\r\n"), REFUSED),
    "CR alone in a header": (get(headers=HOST + b"X-A: a\rb\r\n"), REFUSED),
    "NUL in the path": (get(b"/kpi\0"), REFUSED),
    "blank in the path": (get(b"/k pi"), REFUSED),
    # A blank line before a request is overlooked (RFC 9112 §2.2).
    "line feed before all": (b"\n" + get(), 200),
    "no path": (b"GET HTTP/1.1\r\n" + HOST + END, REFUSED),
    "path without slash": (get(b"kpi"), REFUSED),
    # As to a proxy, which a server takes as well; the host in it is the one that is asked (§3.2.2).
    "whole address": (get(b"http://localhost/kpi"), 200),
    "whole address with a port": (get(b"HTTPS://127.0.0.1:8080/kpi?month=2026-09"), 200),
    "whole address of another host": (get(b"http://evil.test/kpi"), 421),
    "whole address of another host alone": (get(b"http://evil.test?month=2026-09"), 421),
    "whole address with a name before its host": (get(b"http://localhost@evil.test/kpi"), REFUSED),
    "whole address behind a star": (get(b"*a:b://evil.test/kpi"), 421),
    "whole address of another host than the header's": (get(b"http://localhost/kpi", headers=b"Host: evil.test\r\n"), 421),
    "whole address without a host": (get(b"http:///kpi"), REFUSED),
    "star": (b"OPTIONS * HTTP/1.1\r\n" + HOST + END, 404),
    "CONNECT": (b"CONNECT localhost:443 HTTP/1.1\r\n" + HOST + END, 404),
    "unknown method": (b"BREW /kpi HTTP/1.1\r\n" + HOST + END, REFUSED),
    "method in lower case": (b"get /kpi HTTP/1.1\r\n" + HOST + END, REFUSED),
    "HTTP/0.9": (b"GET /kpi\r\n", REFUSED),
    "HTTP/1.2": (get(version=b"HTTP/1.2"), REFUSED),
    "HTTP/3.0": (get(version=b"HTTP/3.0"), REFUSED),
    "HTTP/2 without agreement": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", REFUSED),
    "a hello of TLS": (b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03" + b"\0" * 64, REFUSED),
    "a header of 1 MiB": (get(headers=HOST + b"X-A: " + b"a" * (1 << 20) + b"\r\n"), TOO_LARGE),
    "17 KiB of headers": (get(headers=HOST + b"".join(b"X-%d: %s\r\n" % (n, b"a" * 1024) for n in range(17))), TOO_LARGE),
    "a header of 9 KiB": (get(headers=HOST + b"X-A: " + b"a" * 9216 + b"\r\n"), TOO_LARGE),
    "a thousand headers": (get(headers=HOST + b"".join(b"X-%d: a\r\n" % n for n in range(1000))), TOO_LARGE),
    "a path of 1 MiB": (get(b"/kpi?month=" + b"a" * (1 << 20)), TOO_LARGE),
    "a path of 12 kB": (get(b"/kpi?month=" + b"a" * 12_000), TOO_LARGE),
    "percent and nothing": (get(b"/kpi?month=%"), 400),
    "overlong UTF-8": (get(b"/kpi?month=%c0%ae"), 400),
    "no UTF-8": (get(b"/kpi?month=\xff\xfe"), REFUSED),
    # One host is asked, by a name that is one (§3.2).
    "no host": (get(b"/healthz", headers=b""), REFUSED),
    "an empty host": (get(b"/healthz", headers=b"Host:\r\n"), REFUSED),
    "a blank host": (get(b"/healthz", headers=b"Host: \t \r\n"), REFUSED),
    "two hosts": (get(b"/healthz", headers=b"Host: localhost\r\nHost: 127.0.0.1\r\n"), REFUSED),
    "one host twice": (get(b"/healthz", headers=b"Host: localhost\r\nHost: localhost\r\n"), REFUSED),
    "hosts in a list": (get(b"/healthz", headers=b"Host: localhost, localhost\r\n"), REFUSED),
    "a host with a path": (get(b"/healthz", headers=b"Host: localhost/a\r\n"), REFUSED),
    "a host with a blank": (get(b"/healthz", headers=b"Host: a b/c@d\r\n"), REFUSED),
    "somebody at a host": (get(b"/healthz", headers=b"Host: a@localhost\r\n"), REFUSED),
    "a port of letters": (get(b"/healthz", headers=b"Host: localhost:http\r\n"), REFUSED),
    "half a bracket": (get(b"/healthz", headers=b"Host: [::1\r\n"), REFUSED),
    "two hosts in HTTP/1.0": (get(b"/healthz", b"HTTP/1.0", b"Host: localhost\r\nHost: localhost\r\n"), REFUSED),
    # Over plain HTTP a page elsewhere may have its name lead here.
    "another host": (get(b"/healthz", headers=b"Host: evil.test\r\n"), 421),
    "figures for another host": (get(b"/metrics", headers=b"Host: evil.test:8080\r\n"), 421),
    "a host that begins like this machine": (get(b"/metrics", headers=b"Host: localhost.evil.test\r\n"), 421),
    "an address of another machine": (get(b"/metrics", headers=b"Host: 10.0.0.1\r\n"), 421),
    "another host in HTTP/1.0": (get(b"/metrics", b"HTTP/1.0", b"Host: evil.test\r\n"), 421),
    "this machine's name": (get(b"/metrics", headers=b"Host: LocalHost:8080\r\n"), 200),
    "this machine's address": (get(b"/metrics", headers=b"Host: 127.0.0.1:\r\n"), 200),
    "this machine's newer address": (get(b"/metrics", headers=b"Host: [::1]:8080\r\n"), 200),
    "the issuer's host": (get(b"/healthz", headers=b"Host: triptych.test \r\n"), 200),
    # HTTP/1.0 knows no chunks, and need not name a host.
    "HTTP/1.0": (get(b"/healthz", b"HTTP/1.0", b""), 200),
    "chunks in HTTP/1.0": (b"POST /token HTTP/1.0\r\n" + HOST + FORM + b"Transfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n", REFUSED),
    "two codings": (post(b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n"), REFUSED),
    "an expectation nobody knows": (post(b"Expect: bogus\r\nContent-Length: 3\r\n", b"a=b"), 417),
}
# The last of their connection, and what makes them so.
LAST = {
    "HTTP/1.0": get(b"/healthz", b"HTTP/1.0"),
    "HTTP/1.0 that would stay": get(b"/healthz", b"HTTP/1.0", HOST + b"Connection: keep-alive\r\n"),
    "close": get(b"/healthz", headers=HOST + b"Connection: close\r\n"),
    "Close": get(b"/healthz", headers=HOST + b"Connection: Close\r\n"),
    "close in a list": get(b"/healthz", headers=HOST + b"Connection: keep-alive, CLOSE\r\n"),
}


def begun(port, request):
    """Sends bytes and reads until the connection ends or the head of an answer has come."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        try:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # Closed while it was being sent, which is an answer.
        answer = b""
        try:
            while END * 2 not in answer:
                piece = connection.recv(65536)
                if not piece:
                    break
                answer += piece
        except ConnectionResetError:
            pass
    return answer


def faults_of(answer, status):
    """What is wrong with the beginning of an answer that should have a status."""
    head, _, _ = answer.partition(END * 2)
    lines = head.lower().split(END)
    if not lines[0].startswith(b"http/1.1 %d " % status):
        return [f"{lines[0]}, not {status}"]
    wanted = [b"x-content-type-options: nosniff"]
    if status != 200:
        wanted.append(b"cache-control: no-store")
        # Forms for tokens are answered as RFC 6749 says it.
        if b"content-type: application/json" not in lines:
            wanted.append(b"content-type: application/problem+json")
    return [f"{line} is missing" for line in wanted if line not in lines]


def everything(port, request):
    """Sends bytes and reads until the server closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request)
        answers = b""
        try:
            while piece := connection.recv(65536):
                answers += piece
        except ConnectionResetError:
            pass
        except TimeoutError:
            return b"the connection was kept open"
        return answers


def waited_for(port):
    """What is wrong with the answers to a body that is sent once it is asked for."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(post(b"Expect: 100-Continue\r\nContent-Length: 3\r\n", b""))
        try:
            word = connection.recv(4096)
            if word != b"HTTP/1.1 100 Continue\r\n\r\n":
                return [f"{word} to a body that waits"]
            connection.sendall(b"a=b")
            return [f"a body that was asked for: {fault}" for fault in faults_of(connection.recv(4096), 400)]
        except TimeoutError:
            return ["a body that waits is neither asked for nor refused"]


def main():
    faults = []
    with Server(sys.argv[1]) as server:
        # By somebody who may ask, so that nothing is refused for want of a token.
        signed = HOST + b"Authorization: Bearer " + server.token().encode() + END
        late = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        late.sendall(post(b"Content-Length: 30\r\n", b"grant_type=refre"))
        for name, (request, status) in CASES.items():
            answer = begun(server.port, request.replace(HOST, signed, 1))
            faults += [f"{name}: {fault}" for fault in faults_of(answer, status)]
            if server.ask("/healthz", name=None).status != 200:
                faults.append(f"{name}: the server no longer answers")
        # A request hidden behind another one is never answered.
        chunks = b"Transfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0"
        for version, coding in [
            (b"1.1", b"Content-Length: 5\r\nTransfer-Encoding: chunked"), (b"1.1", b"Transfer-Encoding: gzip"),
            (b"1.0", chunks), (b"1.0", b"Connection: keep-alive\r\n" + chunks), (b"1.1", b"Host: localhost"),
        ]:
            smuggled = b"POST /token HTTP/" + version + END + signed + FORM + coding + END * 2 + get(b"/healthz")
            answers = everything(server.port, smuggled)
            if not answers.startswith(b"HTTP/1.1 400 ") or answers.count(b"HTTP/1.1 ") != 1:
                faults.append(f"{coding}: {answers[:200]} to a request with another behind it")
        for name, request in LAST.items():
            answers = everything(server.port, request + get(b"/readyz"))
            if not answers.startswith(b"HTTP/1.1 200 OK") or answers.count(b"HTTP/1.1 ") != 1:
                faults.append(f"{name}: {answers[:200]} where it ends the connection")
            if b"\r\nconnection: close\r\n" not in answers.lower():
                faults.append(f"{name}: it is not said that the connection ends")
        # What cannot be answered comes after what was asked before it.
        answers = everything(server.port, get(b"/healthz") * 2 + get(b"/healthz", headers=b""))
        found = re.findall(rb"HTTP/1\.1 (\d+) ", answers)
        if found != [b"200", b"200", b"400"]:
            faults.append(f"{found} to two requests and one without a host")
        head = b"HEAD /healthz HTTP/1.1\r\n\r\n"
        answer = everything(server.port, head)
        faults += [f"{head}: {fault}" for fault in faults_of(answer, 400)]
        if not answer.endswith(END * 2):
            faults.append(f"{answer} has a text, and its head alone was asked for")
        # A body that waits to be asked for is.
        faults += waited_for(server.port)
        # A body nobody asked for is not waited for, whatever is asked.
        for path in [b"/kpi", b"/healthz", b"/nothing", b"/token"]:
            for coding in [b"Content-Length: 100000", b"Transfer-Encoding: chunked"]:
                for method in [b"GET", b"HEAD"]:
                    dripping = method + b" " + path + b" HTTP/1.1" + END + signed + coding + END * 2 + b"1"
                    answers = everything(server.port, dripping)
                    if not answers.startswith(b"HTTP/1.1 4") or b"kept open" in answers:
                        faults.append(f"{method} {path}: {answers[:40]} to a body that never ends")
        # Where the head alone is asked for, nothing but the next answer follows it.
        for path in [b"/kpi", b"/healthz", b"/nothing", b"/token", b"/trip/x", b"/openapi.yaml", b"/"]:
            both = b"HEAD " + path + b" HTTP/1.1\r\n" + signed + END + get(b"/healthz", headers=HOST + b"Connection: close\r\n")
            head, _, rest = everything(server.port, both).partition(END * 2)
            if not rest.startswith(b"HTTP/1.1 200 OK"):
                faults.append(f"HEAD {path}: {rest[:60]} follows the head")
            if b"ontent-Length: 0" in head or b"nosniff" not in head:
                faults.append(f"HEAD {path}: {head}")
        # What is no HTTP is answered with the headers of every answer, and with a whole problem document.
        answer = everything(server.port, get(headers=HOST + b"X A: b\r\n"))
        faults += [f"what is no HTTP: {fault}" for fault in faults_of(answer, 400)]
        if b"default-src 'none'; base-uri 'none'; frame-ancestors 'none'" not in answer:
            faults.append(f"{answer} has not the headers of all")
        text = answer.partition(END * 2)[2]
        if b"\r\ncontent-length: %d\r\n" % len(text) not in answer.lower() or b'"code": "bad_request"' not in text:
            faults.append(f"{answer} holds no problem document")
        if b"408" not in late.recv(4096).split(END)[0]:
            faults.append("a form that does not come is waited for")
        late.close()
        if any("a request failed" in line for line in server.log):
            faults.append("what was malformed is logged as a fault of the server")
        # Many that say nothing leave others unharmed.
        idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(200)]
        for connection in idle:
            connection.send(b"GET /kpi HTTP/1.1\r\n")
        begin = time.monotonic()
        for _ in range(50):
            if server.ask("/kpi").status != 200:
                faults.append("idle connections keep others from being answered")
        print(f"{len(CASES)} cases; 50 answers beside 200 unfinished requests: {time.monotonic() - begin:.2f} s")
        for connection in idle:
            connection.close()
        if server.stop() != 0:
            faults.append("the server did not stop in peace")
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
