"""Starts services for tests, and waits for what they do."""

import http.client
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["LIVESERVICE"]

# Tests and services hold more connections than the 1,024 descriptors that many systems allow at first.
limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))


def eventually(what, condition, within=20):
    """Waits until a condition is true, and returns what it returns. `what` may be a function that describes a failure."""
    end = time.monotonic() + within
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > end:
            raise AssertionError(f"not within {within} s: {what() if callable(what) else what}")
        time.sleep(0.005)


# The sockets of free_ports.
reserved = []


def free_ports(count):
    """Ports for services, which no other program gets while the tests run.

    A bound socket that does not listen reserves each port: the kernel chooses other ports for other programs, and a
    service can listen there nevertheless, because both have SO_REUSEADDR.
    """
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        each.bind(("127.0.0.1", 0))
    reserved.extend(sockets)
    return [each.getsockname()[1] for each in sockets]


class Folder:
    """A temporary folder with the files of a service."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="liveservice-")

    def file(self, name):
        return os.path.join(self.path, name)

    def write(self, name, text):
        """Replaces a file as an editor does."""
        with open(self.file(name + ".new"), "w") as file:
            file.write(text)
        os.rename(self.file(name + ".new"), self.file(name))

    def read(self, name):
        with open(self.file(name)) as file:
            return file.read()

    def remove(self):
        shutil.rmtree(self.path)


class Service:
    """A running service. Its log is in a file, so that it never waits for a reader."""

    def __init__(self, folder, *arguments, before=(), environment=None, log="log", **options):
        self.folder = folder
        self.log_path = folder.file(log)
        with open(self.log_path, "wb") as output:
            self.process = subprocess.Popen(
                [*before, PROGRAM, "--settings", folder.file("settings.json"), "--state",
                 folder.file("state/state.json"), *arguments],
                stderr=output, env=dict(os.environ, **(environment or {})), **options)

    @property
    def log(self):
        with open(self.log_path) as file:
            return file.read()

    def logged(self, text, within=20):
        eventually(lambda: f"{text!r} in the log:\n{self.log}", lambda: text in self.log or self.has_ended, within)
        if text not in self.log:
            raise AssertionError(f"{text!r} is not in the log:\n{self.log}")

    @property
    def has_ended(self):
        return self.process.poll() is not None

    @property
    def port(self):
        """The port on which the service listens now."""
        self.logged("listening")
        return int(re.findall(r"address=https?://\S*:(\d+)", self.log)[-1])

    @property
    def token(self):
        return self.folder.read("state/token").split()[0]

    @property
    def cookie(self):
        """The cookie of a page that has signed in, with its name."""
        _, headers, _ = self.request("GET", f"/admin?token={self.token}")
        return headers["Set-Cookie"].split(";")[0]

    def request(self, method, path, body=None, headers=None, port=None):
        """Sends a request on a connection of its own; returns the status, the headers and the body."""
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=20)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read().decode()
        finally:
            connection.close()

    @property
    def metrics(self):
        return self.request("GET", "/metrics")[2]

    def metric(self, name):
        """The value of a counter, with its labels."""
        return float(re.search(rf"^{re.escape(name)} (\S+)$", self.metrics, re.MULTILINE)[1])

    def get(self, path):
        """The JSON of a successful answer."""
        status, _, body = self.request("GET", path)
        if status != 200:
            raise AssertionError(f"{path}: {status}: {body}")
        return json.loads(body)

    def order(self, **options):
        """Orders; returns the number."""
        headers = {"Authorization": f"Bearer {self.token}"}
        status, _, body = self.request("POST", "/orders", headers=headers, **options)
        if status != 201:
            raise AssertionError(f"/orders: {status}: {body}")
        return json.loads(body)["order"]

    def raw(self, data, within=20):
        """Sends bytes, and returns all that the service answers until it ends the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=within) as connection:
            answer = b""
            try:
                connection.sendall(data)
                while part := connection.recv(65536):
                    answer += part
            except ConnectionResetError:
                pass
            return answer.decode("latin-1")

    def signal(self, number):
        self.process.send_signal(number)

    def end(self):
        """Ends the service as a system manager does; returns its exit status."""
        if not self.has_ended:
            self.signal(signal.SIGTERM)
        return self.process.wait(20)

    def kill(self):
        if not self.has_ended:
            self.process.kill()
        self.process.wait()


class ServiceTest(unittest.TestCase):
    """A test with a folder, in which it starts services."""

    settings = '{ "listen": { "port": 0 } }'

    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)
        self.folder.write("settings.json", self.settings)

    def start(self, *arguments, **options):
        """Starts a service, and waits until it answers."""
        service = self.launch(*arguments, **options)
        service.logged("administration")
        return service

    def launch(self, *arguments, **options):
        """Starts a service that may not be able to run."""
        service = Service(self.folder, *arguments, **options)
        self.addCleanup(service.kill)
        return service

    def needs(self, program):
        """Skips the test if a program is missing; fails instead if no test may be skipped."""
        if shutil.which(program):
            return
        if os.environ.get("SESSIONMIRROR_NO_SKIPS"):
            self.fail(f"{program} is not installed")
        self.skipTest(f"{program} is not installed")
