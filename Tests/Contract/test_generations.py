"""A server while generations are published: no answer mixes two, and none fails.

    python test_generations.py PIPELINE FOLDER [--publications N] [--rate N]

Exports of forty trips each are published one after the other, while requests come at a constant rate
whatever the answers do. Generation g holds 40 g trips, so every answer tells by itself whether it is of one
generation.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import threading
import time

from served import Server

TRIPS = 40
QUERIES = ["/kpi", "/kpi?region=08", "/kpi?trip_type=BLS", "/kpi?from=2026-01", "/months"]


def publish(pipeline, folder, number):
    rows = ["Trip Number,Pickup,VISN,Service Level,Amount Paid,Vehicle Owner"]
    for index in range(TRIPS):
        owner = "VA" if index % 2 else "Vendor"
        rows.append(f"T-{number}-{index},5/{index % 28 + 1}/2026 10:00,08,BLS,10.00,{owner}")
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
    process = server._process.pid
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


class Client(threading.Thread):
    """Asks at its share of the rate until told to stop, and keeps what was wrong."""

    def __init__(self, server, interval, start):
        super().__init__()
        self.server, self.interval, self.start_at = server, interval, start
        self.headers = {"Authorization": "Bearer " + server.token()}
        self.faults, self.latencies, self.seen = [], [], {}
        self.is_stopped = False

    def run(self):
        connection = self.server.connection()
        due, count = self.start_at, 0
        while not self.is_stopped:
            time.sleep(max(0, due - time.monotonic()))
            path = QUERIES[count % len(QUERIES)]
            try:
                connection.request("GET", path, headers=self.headers)
                response = connection.getresponse()
                body = response.read()
                self.judge(path, response.status, response.getheader("ETag"), body)
            except OSError as error:
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
        if not tag.startswith(f'"{generation}-'):
            self.faults.append(f"{path}: generation {generation} under the tag {tag}")
        if self.seen.setdefault((path, generation), body) != body:
            self.faults.append(f"{path}: two answers of generation {generation}")
        if "total" in answer:
            groups = [answer["total"]] + answer["series"] + answer["by_region"] + answer["by_trip_type"]
            trips = {group["trips"] for group in groups}
            if trips != {TRIPS * generation}:
                self.faults.append(f"{path}: generation {generation} has {trips} trips")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pipeline")
    parser.add_argument("folder")
    parser.add_argument("--publications", type=int, default=100)
    parser.add_argument("--rate", type=int, default=200)
    options = parser.parse_args()
    os.makedirs(f"{options.folder}/in", exist_ok=True)
    publish(options.pipeline, options.folder, 1)
    with Server(f"{options.folder}/mart") as server:
        count = 8
        begin = time.monotonic()
        clients = [
            Client(server, count / options.rate, begin + index / options.rate)
            for index in range(count)
        ]
        for client in clients:
            client.start()
        # Somebody begins a list and an answer, and holds on to both all the while.
        slow = server.connection()
        slow.connect()
        slow.sock.sendall(b"GET /openapi.yaml HTTP/1.1\r\nHost: a\r\n\r\n")
        holdings = []
        for number in range(2, options.publications + 2):
            publish(options.pipeline, options.folder, number)
            holdings.append(held(server, options.folder))
        slow.close()
        last = options.publications + 1
        until = time.monotonic() + 5
        while server.ask("/kpi").json["generation"] != last and time.monotonic() < until:
            time.sleep(0.05)
        served = server.ask("/kpi").json["generation"]
        for client in clients:
            client.is_stopped = True
        for client in clients:
            client.join()
        duration = time.monotonic() - begin
        status = server.stop()
    faults = [fault for client in clients for fault in client.faults]
    latencies = sorted(latency for client in clients for latency in client.latencies)
    generations = {generation for client in clients for _, generation in client.seen}
    print(
        f"{len(latencies)} requests in {duration:.0f} s during {options.publications} publications: "
        f"{len(faults)} faults, {len(generations)} generations seen, "
        f"p99 {latencies[len(latencies) * 99 // 100] * 1000:.0f} ms, max {latencies[-1] * 1000:.0f} ms"
    )
    opened, lying = (max(each) for each in zip(*holdings))
    print(f"at most {opened} generations open in the server and {lying} on the disk")
    # The served one, two that lists may go on with, and the next while it is taken up.
    if not 1 <= opened <= 4:
        faults.append(f"{opened} generations were open")
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
