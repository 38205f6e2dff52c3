"""A server while generations are published: no answer mixes two, and none fails.

    python test_generations.py PIPELINE FOLDER [--publications N] [--rate N]

Exports of forty trips each are published one after the other, while requests come at a constant rate
whatever the answers do. Generation g holds 40 g trips, half of them of each of two regions, so every answer tells by itself
whether it is of one generation. Beside them somebody leafs through lists, and somebody else holds on to the first page of
one all the while.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import threading
import time

from served import Server, account

TRIPS = 40
# Questions, and which share of all trips they ask for.
QUERIES = {
    "/kpi": 1, "/kpi?region=08": 2, "/kpi?trip_type=BLS": 4, "/kpi?from=2026-01": 1,
    "/months": None, "/trip-types": None, "/regions": None,
}
# What the filters list, in every generation alike.
LISTED = {"/months": ("months", 1), "/trip-types": ("trip_types", 4), "/regions": ("regions", 2)}
# Those that are served, and the two before, whose lists go on.
KEPT = 3


def publish(pipeline, folder, number):
    rows = ["Trip Number,Pickup,VISN,Service Level,Amount Paid,Vehicle Owner"]
    for index in range(TRIPS):
        owner = "VA" if index % 2 else "Vendor"
        region = "08" if index % 4 < 2 else "10"
        kind = ["BLS", "ALS1", "ALS2", "SCT"][index // 10]
        rows.append(f"T-{number}-{index},5/{index % 28 + 1}/2026 10:00,{region},{kind},10.00,{owner}")
    with open(f"{folder}/in/trips_{number:04}.csv", "w") as file:
        file.write("\n".join(rows) + "\n")
    ending = subprocess.run(
        ["triptych", "run", pipeline, "--mart", f"{folder}/mart", "--input", f"{folder}/in"],
        capture_output=True, text=True,
    )
    if ending.returncode not in (0, 10):
        sys.exit(f"generation {number} was not published: {ending.stdout}{ending.stderr}")


def held(server, folder):
    """The generations that the server has open or mapped, and those that lie in the folder."""
    process = server.number
    names = set()
    for entry in os.listdir(f"/proc/{process}/fd"):
        try:
            names.add(os.readlink(f"/proc/{process}/fd/{entry}"))
        except FileNotFoundError:
            pass  # Closed meanwhile.
    with open(f"/proc/{process}/maps") as file:
        names |= {line.split(None, 5)[5].strip() for line in file if "/generations/" in line}
    opened = {found[1] for found in (re.search(r"/generations/(\d+)", name) for name in names) if found}
    lying = {found[1] for found in map(re.compile(r"(\d+)").match, os.listdir(f"{folder}/mart/generations")) if found}
    return len(opened), len(lying)


def awaited(number, found):
    """Waits until a number is found, for five seconds; returns what is found then."""
    until = time.monotonic() + 5
    while found() != number and time.monotonic() < until:
        time.sleep(0.01)
    return found()


class Reader(threading.Thread):
    """Leafs through whole lists of trips, one after the other, until told to stop."""

    def __init__(self, server):
        super().__init__()
        self.server, self.faults, self.count, self.is_stopped = server, [], 0, False

    def run(self):
        try:
            while not self.is_stopped:
                self.leaf()
        except Exception as error:
            self.faults.append(f"/trips: {error!r}")

    def leaf(self):
        """One list, which is whole and of one generation however many are published meanwhile, unless too many are."""
        path, refs, generations = "/trips?limit=200", [], set()
        while path:
            answer = self.server.ask(path, name="leafing")
            if answer.status == 410:
                return
            if answer.status != 200:
                self.faults.append(f"{path}: status {answer.status}")
                return
            page = answer.json
            generations.add(page["generation"])
            refs += [trip["ref"] for trip in page["trips"]]
            if page["total"] != TRIPS * page["generation"]:
                self.faults.append(f"generation {page['generation']} lists {page['total']} trips")
            path = page["next"] and f"/trips?limit=200&cursor={page['next']}"
        self.count += 1
        if len(generations) != 1 or len(set(refs)) != page["total"] or len(refs) != page["total"]:
            self.faults.append(f"a list of {page['total']} trips has {len(refs)} of generations {generations}")


class Client(threading.Thread):
    """Asks at its share of the rate until told to stop, and keeps what was wrong.

    Besides the questions, for the trips of the first generation, which are there in every later one.
    """

    def __init__(self, server, name, refs, interval, start):
        super().__init__()
        self.server, self.interval, self.start_at = server, interval, start
        self.paths = [*QUERIES, *(f"/trip/{ref}" for ref in refs)]
        self.headers = {"Authorization": "Bearer " + server.token(name)}
        self.faults, self.latencies, self.seen = [], [], {}
        self.newest, self.is_stopped = 0, False

    def run(self):
        connection = self.server.connection()
        due, count = self.start_at, 0
        while not self.is_stopped:
            time.sleep(max(0, due - time.monotonic()))
            path = self.paths[count % len(self.paths)]
            try:
                connection.request("GET", path, headers=self.headers)
                response = connection.getresponse()
                body = response.read()
                self.judge(path, response.status, response.getheader("ETag"), body)
            # Whatever goes wrong is a fault of the server's, also where it ends what is read.
            except Exception as error:
                self.faults.append(f"{path}: {error!r}")
                connection.close()
            # Counted from when the request was due: a server that stalls is not excused.
            self.latencies.append(time.monotonic() - due)
            due += self.interval
            count += 1
        connection.close()

    def judge(self, path, status, tag, body):
        if status != 200:
            self.faults.append(f"{path}: status {status}")
            return
        answer = json.loads(body)
        generation = answer["generation"]
        # A single trip is nobody's to keep, and has no tag.
        is_tagged = tag is not None and tag.startswith(f'"{generation}-')
        if is_tagged == path.startswith("/trip/"):
            self.faults.append(f"{path}: generation {generation} under the tag {tag}")
        if path.startswith("/trip/") and path != "/trip/" + answer["ref"]:
            self.faults.append(f"{path}: the trip {answer['ref']}")
        if path in LISTED and len(answer[LISTED[path][0]]) != LISTED[path][1]:
            self.faults.append(f"{path}: generation {generation} lists {answer[LISTED[path][0]]}")
        if self.seen.setdefault((path, generation), body) != body:
            self.faults.append(f"{path}: two answers of generation {generation}")
        self.newest = max(self.newest, generation)
        if "total" in answer:
            expected = TRIPS * generation // QUERIES[path]
            groups = {name: answer[name] for name in ["by_month", "by_region", "by_trip_type"]}
            for name, group in {"total": [answer["total"]], **groups}.items():
                counts = [one["trips"] for one in group]
                # Small ones are hidden from some of those who ask.
                trips = expected if None in counts else sum(counts)
                if trips != expected:
                    self.faults.append(f"{path}: generation {generation} has {trips} trips in {name}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pipeline")
    parser.add_argument("folder")
    parser.add_argument("--publications", type=int, default=100)
    parser.add_argument("--rate", type=int, default=200)
    options = parser.parse_args()
    os.makedirs(f"{options.folder}/in", exist_ok=True)
    publish(options.pipeline, options.folder, 1)
    account(f"{options.folder}/mart", "leafing", "--role", "analyst")
    with Server(f"{options.folder}/mart") as server:
        count = 8
        names = ["viewer", "leafing"]
        for name in names:
            server.token(name)
        listed = server.ask("/trips?limit=4", name="leafing").json["trips"]
        # Those who may see single trips ask for some.
        refs = {"viewer": [], "leafing": [trip["ref"] for trip in listed]}
        begin = time.monotonic()
        clients = [
            Client(server, name, refs[name], count / options.rate, begin + index / options.rate)
            for index, name in enumerate(names * (count // 2))
        ]
        reader = Reader(server)
        for thread in [*clients, reader]:
            thread.start()
        # Somebody begins a list, and asks for an answer that is never taken.
        begun = server.ask("/trips?limit=20", name="leafing").json
        slow = server.connection()
        slow.connect()
        token = server.token("leafing")
        slow.sock.sendall(f"GET /trips?limit=20 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
        holdings, settled = [], []
        last = options.publications + 1
        for number in range(2, last + 1):
            publish(options.pipeline, options.folder, number)
            holdings.append(held(server, options.folder))
            # Every other one is seen; those between may be gone before the server looks for them.
            if number % 2 == 0 or number == last:
                served = awaited(number, lambda: server.ask("/readyz", name=None).json["generation"])
                awaited(number, lambda: max(client.newest for client in clients))
                settled.append(held(server, options.folder)[0])
        slow.close()
        ended = server.ask(f"/trips?limit=20&cursor={begun['next']}", name="leafing").status
        for thread in [*clients, reader]:
            thread.is_stopped = True
        duration = time.monotonic() - begin
        for thread in [*clients, reader]:
            thread.join()
        status = server.stop()
    faults = [fault for thread in [*clients, reader] for fault in thread.faults]
    latencies = sorted(latency for client in clients for latency in client.latencies)
    generations = {generation for client in clients for _, generation in client.seen}
    answered = {"/trip" if path.startswith("/trip/") else path for client in clients for path, _ in client.seen}
    faults += [f"{path} was never answered" for path in {"/trip", *QUERIES} - answered]
    print(
        f"{len(latencies)} requests in {duration:.0f} s during {options.publications} publications: "
        f"{len(faults)} faults, {len(generations)} generations seen, "
        f"p99 {latencies[len(latencies) * 99 // 100] * 1000:.0f} ms, max {latencies[-1] * 1000:.0f} ms"
    )
    opened, lying = (max(each) for each in zip(*holdings))
    print(
        f"{reader.count} lists read whole; at most {opened} generations open in the server, {max(settled)} when none is taken up, "
        f"and {lying} on the disk"
    )
    # And the next while it is taken up.
    if not 1 <= opened <= KEPT + 1 or max(settled) > KEPT:
        faults.append(f"{opened} generations were open, {max(settled)} when none was taken up")
    if ended != 410:
        faults.append(f"a list that was begun {options.publications} generations ago: status {ended}")
    # Who was kept waiting asks at once until all that was due is asked: over the whole time that is the whole rate.
    if len(latencies) < 0.95 * options.rate * duration:
        faults.append(f"{len(latencies)} requests in {duration:.0f} s are not {options.rate} a second")
    if not reader.count:
        faults.append("no list was read whole")
    if served != last:
        faults.append(f"generation {served} is served at the end, not {last}")
    if len(generations) < options.publications // 2:
        faults.append("most generations were never served")
    if status != 0:
        faults.append(f"the server ended with {status}")
    for fault in faults[:20]:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
