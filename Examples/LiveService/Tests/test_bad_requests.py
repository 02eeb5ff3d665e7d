"""Requests that no client should send. README.md has the table: `test_bad_requests.py --table` prints it."""

import os
import re
import socket
import subprocess
import sys
import threading
import unittest

if __name__ == "__main__":
    os.environ.setdefault("LIVESERVICE", "liveservice")

from harness import ServiceTest, eventually

# The request, the arguments of curl, and the status of the answer. URL, TOKEN, COOKIE and PORT stand for those of the
# service.
CURL = [
    ("a path that does not exist", ["URL/nothing"], 404),
    ("a path above the root", ["--path-as-is", "URL/../../etc/passwd"], 404),
    ("an encoded path above the root", ["URL/tenants/..%2F..%2Fetc%2Fpasswd"], 404),
    ("a zero byte in the path", ["URL/tenants/acme%00"], 404),
    ("a tenant with line ends in its name", ["URL/tenants/a%0d%0aX-Header:%20b"], 404),
    ("another method than GET or HEAD", ["-X", "DELETE", "URL/"], 405),
    ("another method than POST", ["URL/orders"], 405),
    ("a method that does not exist", ["-X", "BREW", "URL/"], 405),
    ("a request line of 40 KB", ["URL/" + "a" * 40_000], 414),
    ("a header of 40 KB", ["-H", "X-Header: " + "a" * 40_000, "URL/"], 431),
    ("2,000 headers", [word for n in range(2_000) for word in ["-H", f"X-{n}: {n}"]] + ["URL/"], 431),
    ("an order without the token", ["-X", "POST", "URL/orders"], 401),
    ("an order with a wrong token", ["-X", "POST", "-H", "Authorization: Bearer " + "0" * 64, "URL/orders"], 403),
    ("an order with a token that is too short", ["-X", "POST", "-H", "Authorization: Bearer 0", "URL/orders"], 403),
    ("a wrong token in the cookie", ["-X", "POST", "-b", "COOKIE0", "URL/orders"], 403),
    ("an order from a page of another site", ["-X", "POST", "-H", "Authorization: Bearer TOKEN",
                                            "-H", "Origin: http://example.com", "URL/orders"], 403),
    ("a page of a foreign name of this address", ["-b", "COOKIE", "-H", "Host: example.com", "URL/admin"], 421),
    ("a body of 100 KB", ["-H", "Authorization: Bearer TOKEN", "-H", "Expect:", "--data-binary", "@body",
                          "URL/orders"], 413),
    ("a body of 100 KB without its length", ["-H", "Authorization: Bearer TOKEN", "-H", "Transfer-Encoding: chunked",
                                             "-H", "Expect:", "--data-binary", "@body", "URL/orders"], 413),
]

# The request, its bytes, and the status; None if the connection is ended without an answer.
RAW = [
    ("no Host header", b"GET / HTTP/1.1\r\n\r\n", 400),
    ("no HTTP at all", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", None),
    ("a length that is not a number", b"POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400),
    ("a negative length", b"POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400),
    ("a chunk of an invalid size",
     b"POST /orders HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
    ("a space before the colon of a header", b"GET / HTTP/1.1\r\nHost: localhost\r\nX : 1\r\nConnection: close\r\n\r\n", 200),
    ("HTTP/3.0", b"GET / HTTP/3.0\r\nHost: localhost\r\nConnection: close\r\n\r\n", 505),
]


def table():
    rows = [(name, status) for name, _, status in CURL]
    rows += [(name, status or "the connection is ended") for name, _, status in RAW]
    rows += [("half a request, for longer than `listen.requestTime`", "the connection is ended"),
             ("more than 2,000 connections", "the connection is ended")]
    lines = ["| request | answer |", "| --- | --- |"] + [f"| {name} | {answer} |" for name, answer in rows]
    return "\n".join(lines) + "\n"


class BadRequests(ServiceTest):
    settings = '{ "listen": { "port": 0, "requestTime": "1s" }, "tenants": { "acme": {} } }'

    def setUp(self):
        super().setUp()
        self.folder.write("body", "a" * 100_000)

    def curl(self, service, arguments):
        self.needs("curl")
        known = {"URL": f"http://127.0.0.1:{service.port}", "TOKEN": service.token, "COOKIE": service.cookie, "@body": "@" + self.folder.file("body")}
        replaced = []
        for argument in arguments:
            for name, value in known.items():
                argument = argument.replace(name, value)
            replaced.append(argument)
        result = subprocess.run(
            ["curl", "--silent", "--show-error", "--globoff", "--include", "--max-time", "20", *replaced],
            capture_output=True, text=True, timeout=30)
        return result.stdout

    def test_curl(self):
        service = self.start()
        for name, arguments, status in CURL:
            with self.subTest(name):
                answer = self.curl(service, arguments)
                # After 100 Continue, if curl asks for it.
                statuses = re.findall(r"^HTTP/1\.[01] (\d+)", answer, re.MULTILINE)
                self.assertEqual(statuses[-1:], [str(status)], answer[:300])
                self.assertNotIn("X-Header: b", answer)
        self.check_is_well(service)

    def test_raw(self):
        service = self.start()
        for name, data, status in RAW:
            with self.subTest(name):
                answer = service.raw(data)
                found = re.match(r"HTTP/1\.[01] (\d+)", answer)
                self.assertEqual(found and int(found[1]), status, answer[:300])
        self.check_is_well(service)

    def test_slow_clients(self):
        service = self.start()
        sockets = [socket.create_connection(("127.0.0.1", service.port), timeout=20) for _ in range(3)]
        stop = threading.Event()

        def trickle(connection, data):
            """Sends a byte every tenth of a second: something always happens on the connection."""
            try:
                for byte in data:
                    connection.sendall(bytes([byte]))
                    if stop.wait(0.1):
                        return
            except OSError:
                pass

        head = b"POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n"
        threads = [threading.Thread(target=trickle, args=(sockets[0], b"GET / HTTP/1.1\r\n" + b"X: " + b"a" * 1_000))]
        sockets[1].sendall(head)
        threads.append(threading.Thread(target=trickle, args=(sockets[1], b"a" * 1_000)))
        for thread in threads:
            thread.start()
        for connection in sockets:
            # The answer is empty, or reports a timeout.
            self.assertTrue(self.is_ended(connection))
            connection.close()
        stop.set()
        for thread in threads:
            thread.join()
        self.check_is_well(service)

    @staticmethod
    def is_ended(connection):
        try:
            while connection.recv(4096):
                pass
            return True
        except ConnectionResetError:
            return True

    def test_too_many_connections(self):
        service = self.start()
        connections = []
        self.addCleanup(lambda: [each.close() for each in connections])
        for _ in range(2_200):
            connections.append(socket.create_connection(("127.0.0.1", service.port), timeout=20))
        self.assertTrue(self.is_ended(connections[-1]), "one connection too many is closed")
        for each in connections:
            each.close()
        connections.clear()
        self.check_has_few_descriptors(service)
        self.check_is_well(service)

    @staticmethod
    def check_has_few_descriptors(service):
        folder = f"/proc/{service.process.pid}/fd"
        eventually("few descriptors", lambda: len(os.listdir(folder)) < 40)

    def check_is_well(self, service):
        """The service runs, answers, has closed its connections and descriptors, and has logged no error."""
        self.assertFalse(service.has_ended, service.log)
        self.assertEqual(service.get("/healthz")["status"], "ok")
        self.check_has_few_descriptors(service)
        eventually("no request in progress", lambda: service.metric("liveservice_requests_in_progress") == 1)
        self.assertNotIn(" error ", service.log)
        self.assertEqual(service.end(), 0)

    def test_the_table_of_the_readme(self):
        readme = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "README.md")
        with open(readme) as file:
            self.assertIn(table(), file.read(), "README.md must have what `test_bad_requests.py --table` prints")


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        print(table(), end="")
    else:
        unittest.main()
