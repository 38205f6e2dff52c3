"""Requests that are not quite HTTP, over plain sockets: each is refused or closed, and nobody else notices.

    python test_http.py MART
"""

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


# What is sent, and the statuses that may come back; None is a connection closed without a word.
REFUSED = {400, None}
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
    "a form of 17 KiB": (post(b"Content-Length: 17408\r\n", b"a" * 17408), {413}),
    "a chunked form of 17 KiB": (post(b"Transfer-Encoding: chunked\r\n", b"4400\r\n" + b"a" * 17408 + b"\r\n0\r\n\r\n"), {413}),
    "space before the colon": (get(headers=HOST + b"X-A : b\r\n"), REFUSED),
    "folded header": (get(headers=HOST + b"X-A: b\r\n c\r\n"), REFUSED),
    "header without a colon": (get(headers=HOST + b"nonsense\r\n"), REFUSED),
    "header without a name": (get(headers=HOST + b": b\r\n"), REFUSED),
    "NUL in a header": (get(headers=HOST + b"X-A: a\0b\r\n"), REFUSED),
    "NUL in a name": (get(headers=HOST + b"X\0A: b\r\n"), REFUSED),
    "CR alone in a header": (get(headers=HOST + b"X-A: a\rb\r\n"), REFUSED),
    "NUL in the path": (get(b"/kpi\0"), REFUSED | {404}),
    "blank in the path": (get(b"/k pi"), REFUSED),
    # A blank line before a request is overlooked (RFC 9112 §2.2).
    "line feed before all": (b"\n" + get(), {400, 200}),
    "no path": (b"GET HTTP/1.1\r\n" + HOST + END, REFUSED),
    "path without slash": (get(b"kpi"), REFUSED | {404}),
    # As to a proxy, which a server takes as well (§3.2.2).
    "whole address": (get(b"http://elsewhere/kpi"), {400, 404, 200}),
    "star": (b"OPTIONS * HTTP/1.1\r\n" + HOST + END, {400, 404, 405, None}),
    "CONNECT": (b"CONNECT localhost:443 HTTP/1.1\r\n" + HOST + END, {400, 404, 405, None}),
    "unknown method": (b"BREW /kpi HTTP/1.1\r\n" + HOST + END, {400, 405, 501, None}),
    "method in lower case": (b"get /kpi HTTP/1.1\r\n" + HOST + END, {400, 405, 501, None}),
    "HTTP/0.9": (b"GET /kpi\r\n", REFUSED),
    # A later HTTP/1 is read as the latest that is known (§2.3).
    "HTTP/1.2": (get(version=b"HTTP/1.2"), {400, 505, 200}),
    "HTTP/3.0": (get(version=b"HTTP/3.0"), {400, 505, None}),
    "HTTP/2 without agreement": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", REFUSED | {505}),
    "a hello of TLS": (b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03" + b"\0" * 64, REFUSED),
    "a header of 1 MiB": (get(headers=HOST + b"X-A: " + b"a" * (1 << 20) + b"\r\n"), {400, 431, None}),
    "17 KiB of headers": (get(headers=HOST + b"".join(b"X-%d: %s\r\n" % (n, b"a" * 1024) for n in range(17))), {400, 431, None}),
    "a header of 9 KiB": (get(headers=HOST + b"X-A: " + b"a" * 9216 + b"\r\n"), {400, 431, None}),
    "a thousand headers": (get(headers=HOST + b"".join(b"X-%d: a\r\n" % n for n in range(1000))), {400, 431, None}),
    "a path of 1 MiB": (get(b"/kpi?month=" + b"a" * (1 << 20)), {400, 414, None}),
    "percent and nothing": (get(b"/kpi?month=%"), {400}),
    "overlong UTF-8": (get(b"/kpi?month=%c0%ae"), {400}),
    "no UTF-8": (get(b"/kpi?month=\xff\xfe"), {400, None}),
}


def status(port, request):
    """Sends bytes and reads until the connection ends or an answer began; None where none did."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        try:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # Closed while it was being sent, which is an answer.
        answer = b""
        try:
            while b"\r\n" not in answer:
                piece = connection.recv(65536)
                if not piece:
                    break
                answer += piece
        except ConnectionResetError:
            pass
    if not answer:
        return None
    return int(answer.split(b" ", 2)[1])


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


def main():
    faults = []
    with Server(sys.argv[1]) as server:
        # By somebody who may ask, so that nothing is refused for want of a token.
        signed = HOST + b"Authorization: Bearer " + server.token().encode() + END
        late = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        late.sendall(post(b"Content-Length: 30\r\n", b"grant_type=refre"))
        for name, (request, allowed) in CASES.items():
            request = request.replace(HOST, signed, 1)
            found = status(server.port, request)
            if found not in allowed:
                faults.append(f"{name}: {found}, not one of {allowed}")
            if server.ask("/healthz", name=None).status != 200:
                faults.append(f"{name}: the server no longer answers")
        # A request hidden behind another one is never answered.
        for coding in ["Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: gzip"]:
            smuggled = b"POST /kpi HTTP/1.1\r\n" + signed + coding.encode() + END * 2 + get(b"/healthz")
            answers = everything(server.port, smuggled)
            if b"200 OK" in answers or b"kept open" in answers:
                faults.append(f"{coding}: a smuggled request was answered")
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
        # What is no HTTP is answered with the headers of every answer.
        answer = everything(server.port, get(headers=b"X A: b\r\n"))
        if answer and (b"nosniff" not in answer or b"frame-ancestors 'none'" not in answer):
            faults.append(f"{answer} has not the headers of all")
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
