"""Signals, systemd, orders of several services, and a read-only mount."""

import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import threading
import time
import unittest

from harness import PROGRAM, ServiceTest, eventually


class Signals(ServiceTest):
    def test_sigterm_finishes_requests_and_saves(self):
        service = self.start()
        # A client that has sent half of a request, and sends the rest when the service is stopping.
        slow = socket.create_connection(("127.0.0.1", service.port), timeout=20)
        self.addCleanup(slow.close)
        token = service.token
        slow.sendall(
            f"POST /orders HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
            "Content-Length: 4\r\n\r\nab".encode())
        for _ in range(3):
            service.get("/")
        # The second request is the one for the metrics.
        eventually("the request has begun", lambda: "liveservice_requests_in_progress 2\n" in service.metrics)
        began = time.monotonic()
        service.signal(signal.SIGTERM)
        service.logged("notice stopping")
        eventually("no new connections", lambda: self.is_refused(service))
        slow.sendall(b"cd")
        answer = b""
        while part := slow.recv(4096):
            answer += part
        self.assertIn(b"201 Created", answer)
        self.assertEqual(service.process.wait(20), 0)
        self.assertLess(time.monotonic() - began, 5)
        self.assertEqual(json.loads(self.folder.read("state/state.json")), {"hits": {"main": 3}, "orders": 1})
        self.assertIn("notice stopped", service.log)

    @staticmethod
    def is_refused(service):
        try:
            socket.create_connection(("127.0.0.1", service.port), timeout=20).close()
            return False
        except ConnectionRefusedError:
            return True

    def test_a_client_that_sends_nothing_does_not_keep_the_service(self):
        service = self.start()
        connections = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(5)]
        for connection in connections:
            self.addCleanup(connection.close)
        connections[0].sendall(b"POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nab")
        service.get("/")
        began = time.monotonic()
        self.assertEqual(service.end(), 0)
        self.assertLess(time.monotonic() - began, 5)

    def test_sigterm_under_load(self):
        """Requests, orders and streams of events are in every state when the service stops."""
        service = self.start()
        port, headers = service.port, {"Authorization": f"Bearer {service.token}"}
        # The paths of all requests that were answered; when each other one was sent, if it was, and when it failed.
        answered, failures = [], []

        def ask(method, path, keeps_connection):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            while True:
                sent = None
                try:
                    connection.request(method, path, headers=headers)
                    sent = time.monotonic()
                    response = connection.getresponse()
                    response.read()
                    if response.status not in (200, 201):
                        raise http.client.HTTPException(f"{path}: {response.status}")
                    answered.append(path)
                except (OSError, http.client.HTTPException):
                    failures.append((sent, time.monotonic()))
                    return connection.close()
                if not keeps_connection:
                    connection.close()

        streams = []
        for _ in range(20):
            stream = socket.create_connection(("127.0.0.1", port), timeout=20)
            self.addCleanup(stream.close)
            stream.sendall("GET /admin/events HTTP/1.1\r\nHost: localhost\r\n"
                           f"Authorization: {headers['Authorization']}\r\n\r\n".encode())
            self.assertIn(b"200 OK", stream.recv(100))
            streams.append(stream)
        paths = [("GET", "/"), ("POST", "/orders"), ("GET", "/metrics")]
        threads = [threading.Thread(target=ask, args=(method, path, keeps_connection), daemon=True)
                   for method, path in paths for keeps_connection in [False, True]]
        for thread in threads:
            thread.start()
        eventually("answers of all kinds", lambda: failures or all(answered.count(path) > 20 for _, path in paths))
        stopped = time.monotonic()
        self.assertEqual(service.end(), 0)
        self.assertLess(time.monotonic() - stopped, 5)
        for thread in threads:
            thread.join(30)
        self.assertEqual(len(failures), len(threads))
        for sent, failed in failures:
            self.assertGreater(failed, stopped, "a request has failed before the service was told to stop")
            if sent:
                self.assertGreater(sent, stopped, "a request that was sent before has no answer")
        state = json.loads(self.folder.read("state/state.json"))
        # The service may have counted some whose answer came too late for the client.
        self.assertGreaterEqual(state["hits"]["main"], answered.count("/"))
        self.assertGreaterEqual(state["orders"], answered.count("/orders"))

    def test_a_second_sigterm_ends_the_service_at_once(self):
        service = self.start()
        # Half a request, which the service would wait for.
        held = socket.create_connection(("127.0.0.1", service.port))
        self.addCleanup(held.close)
        held.sendall(b"POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nab")
        eventually("the request has begun", lambda: service.metric("liveservice_requests_in_progress") == 2)
        service.signal(signal.SIGTERM)
        service.logged("notice stopping")
        again = time.monotonic()
        service.signal(signal.SIGTERM)
        self.assertEqual(service.process.wait(20), 128 + signal.SIGTERM)
        self.assertLess(time.monotonic() - again, 2)
        self.assertNotIn("notice stopped", service.log)

    def test_sighup_reloads(self):
        service = self.start()
        service.port
        before = service.metric('liveservice_file_loads_total{file="settings"}')
        service.signal(signal.SIGHUP)
        service.logged("notice reloading")
        eventually("a load", lambda: service.metric('liveservice_file_loads_total{file="settings"}') > before)


class Systemd(ServiceTest):
    """Notifications for systemd, on a real socket."""

    def setUp(self):
        super().setUp()
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(self.socket.close)
        self.socket.settimeout(20)

    def message(self):
        return dict(line.split("=", 1) for line in self.socket.recv(65536).decode().splitlines())

    def message_with(self, name):
        while name not in (message := self.message()):
            pass
        return message

    def status_with(self, text):
        while text not in (status := self.message_with("STATUS")["STATUS"]):
            pass
        return status

    def test_notifications(self):
        path = self.folder.file("notify")
        self.socket.bind(path)
        service = self.start(environment={"NOTIFY_SOCKET": path})
        ready = self.message_with("READY")
        self.assertEqual(ready["READY"], "1")
        self.assertIn("listening on http://127.0.0.1:", ready["STATUS"])
        self.folder.write("settings.json", '{ "listen": { "port": -1 } }')
        self.assertIn('settings.json:1:23: error: "listen.port" must be 0 to 65535', self.status_with("listen.port"))
        # A port that another program has, until it leaves it.
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            self.folder.write("settings.json", '{ "listen": { "port": %d } }' % port)
            self.status_with("Address already in use")
        self.status_with(f"listening on http://127.0.0.1:{port}")
        os.remove(self.folder.file("settings.json"))
        self.status_with("the file of the settings was deleted")
        self.folder.write("settings.json", '{ "listen": { "port": -1 } }')
        self.status_with("listen.port")
        before = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        service.signal(signal.SIGHUP)
        reloading = self.message_with("RELOADING")
        self.assertLessEqual(before, int(reloading["MONOTONIC_USEC"]))
        self.assertIn("listen.port", self.message_with("READY")["STATUS"])
        service.signal(signal.SIGTERM)
        self.message_with("STOPPING")
        self.assertEqual(service.process.wait(20), 0)

    def test_each_line_of_the_unit_is_explained(self):
        root = os.path.join(os.path.dirname(__file__), "..")
        with open(f"{root}/README.md") as readme, open(f"{root}/systemd/liveservice.service") as unit:
            words = set(re.findall(r"[A-Za-z]+", " ".join(re.findall(r"`[^`\n]+`", readme.read()))))
            names = [line.split("=")[0] for line in unit.read().split("[Service]")[1].split("[Install]")[0].splitlines()
                     if "=" in line and not line.startswith("#")]
        self.assertGreater(len(names), 10)
        self.assertEqual([name for name in names if name not in words], [])

    def test_an_abstract_socket(self):
        name = f"liveservice-test-{os.getpid()}-{random.randrange(10**9)}"
        self.socket.bind("\0" + name)
        self.start(environment={"NOTIFY_SOCKET": "@" + name})
        self.assertEqual(self.message_with("READY")["READY"], "1")

    def test_socket_activation(self):
        with socket.create_server(("127.0.0.1", 0)) as listening:
            port = listening.getsockname()[1]
            # As systemd does: descriptor 3, and the process that the shell becomes.
            script = f'exec 3<&{listening.fileno()} && LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"'
            service = self.start(before=["bash", "-c", script], pass_fds=[listening.fileno()])
            service.logged("socket activation")
            self.assertEqual(service.request("GET", "/", port=port)[0], 200)
            self.folder.write("settings.json", '{ "listen": { "port": 1 } }')
            service.logged("host and port do not apply, change the socket unit")
            self.assertEqual(service.request("GET", "/", port=port)[0], 200)
            self.assertEqual(service.end(), 0)
            # systemd's socket still listens: clients wait for the next process.
            with socket.create_connection(("127.0.0.1", port), timeout=20):
                listening.accept()[0].close()

    def test_a_token_that_others_can_read_is_not_used(self):
        service = self.start()
        self.assertEqual(os.stat(self.folder.file("state/token")).st_mode & 0o777, 0o600)
        service.end()
        os.chmod(self.folder.file("state/token"), 0o640)
        known = service.token
        service = self.start()
        service.logged("other users could read the token: it is replaced")
        self.assertNotEqual(service.token, known)
        self.assertEqual(os.stat(self.folder.file("state/token")).st_mode & 0o777, 0o600)
        status = lambda token: service.request("POST", "/orders", headers={"Authorization": f"Bearer {token}"})[0]
        self.assertEqual((status(known), status(service.token)), (403, 201))

    def test_the_directories_of_the_unit(self):
        os.makedirs(self.folder.file("etc"))
        self.folder.write("etc/settings.json", '{ "listen": { "port": 0 }, "greeting": "from the unit" }')
        with open(self.folder.file("log"), "wb") as log:
            process = subprocess.Popen([PROGRAM], stderr=log, env={
                "PATH": os.environ["PATH"], "CONFIGURATION_DIRECTORY": self.folder.file("etc"),
                "STATE_DIRECTORY": self.folder.file("var"), "HOME": "/nowhere"})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        eventually("it listens", lambda: "listening" in self.folder.read("log"))
        port = int(re.search(r"address=http://127.0.0.1:(\d+)", self.folder.read("log"))[1])
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/")
        self.assertEqual(json.loads(connection.getresponse().read())["greeting"], "from the unit")
        connection.close()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(20), 0)
        self.assertEqual(json.loads(self.folder.read("var/state.json"))["hits"], {"main": 1})

    def test_the_unit_is_valid(self):
        self.needs("systemd-analyze")
        folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "systemd")
        for name in ["liveservice.service", "liveservice.socket"]:
            with open(os.path.join(folder, name)) as file:
                # The program need not be installed here.
                self.folder.write(name, file.read().replace("/usr/local/bin/liveservice", PROGRAM))
        result = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", self.folder.file("liveservice.service"),
             self.folder.file("liveservice.socket")], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))


class Orders(ServiceTest):
    kills = int(os.environ.get("LIVESERVICE_KILLS", 3))
    orders = int(os.environ.get("LIVESERVICE_ORDERS", 600))
    seed = int(os.environ.get("LIVESERVICE_SEED") or random.randrange(1_000_000))

    def test_no_number_is_given_twice(self):
        """Two services and sessionctl number orders in one file; the services are killed at random moments."""
        if not os.environ.get("SESSIONCTL"):
            if os.environ.get("SESSIONMIRROR_NO_SKIPS"):
                self.fail("sessionctl is not built")
            self.skipTest("sessionctl is not built")
        chance = random.Random(self.seed)
        numbers, lock, unanswered, failed, kills = [], threading.Lock(), [0], [], [0]
        services = [self.start(log="first"), self.start(log="second")]

        def done():
            return len(numbers) >= self.orders and kills[0] == self.kills or failed

        def ask(index):
            """One client of each service: one request at most is lost with it."""
            while not done():
                service = services[index]
                try:
                    number = service.order()
                    with lock:
                        numbers.append(number)
                except (ConnectionError, http.client.HTTPException):
                    # The service was killed, after it had a number or before.
                    with lock:
                        unanswered[0] += 1
                    eventually("it is started again", lambda: services[index] is not service or done())
                except Exception as error:
                    failed.append(repr(error))

        def add():
            """Numbers orders as people do in a terminal."""
            state = self.folder.file("state/state.json")
            while not done():
                try:
                    result = subprocess.run(
                        [os.environ["SESSIONCTL"], "add", state, "orders", "1"], capture_output=True, text=True, check=True)
                    with lock:
                        numbers.append(int(result.stdout))
                except subprocess.CalledProcessError as error:
                    failed.append(error.stderr)
                except Exception as error:
                    failed.append(repr(error))

        numbers.append(services[0].order())
        threads = [threading.Thread(target=ask, args=(index,), daemon=True) for index in range(2)]
        threads.append(threading.Thread(target=add, daemon=True))
        for thread in threads:
            thread.start()
        for kill in range(self.kills):
            target = self.orders * (kill + 1) // (self.kills + 1) + chance.randrange(20)
            eventually("more orders", lambda: len(numbers) >= target or done(), within=600)
            index = chance.randrange(2)
            services[index].kill()
            services[index] = self.start(log=f"killed-{kill}")
            kills[0] += 1
        for thread in threads:
            thread.join(600)
        about = f"LIVESERVICE_SEED={self.seed}"
        self.assertEqual(failed, [], about)
        self.assertEqual(len(set(numbers)), len(numbers), about)
        # A number is lost only with a client that was not answered, and there is one for each kill.
        self.assertEqual([service.end() for service in services], [0, 0])
        last = json.loads(self.folder.read("state/state.json"))["orders"]
        self.assertLessEqual(last - len(numbers), unanswered[0], about)
        self.assertLessEqual(unanswered[0], self.kills, about)
        print(f"{len(numbers)} orders, {self.kills} kills, {last - len(numbers)} numbers without an answer")

    def test_hits_of_two_services_are_counted_under_their_names(self):
        services = [self.start("--name", name, log=name) for name in ["first", "second"]]
        for _ in range(100):
            for service in services:
                service.get("/")
        self.assertEqual([service.end() for service in services], [0, 0])
        self.assertEqual(json.loads(self.folder.read("state/state.json"))["hits"], {"first": 100, "second": 100})


class Kubernetes(ServiceTest):
    def test_a_config_map_is_swapped(self):
        """A ConfigMap is a directory of links into a directory that is replaced as a whole by renaming a link."""
        mount = self.folder.file("config")
        os.makedirs(mount)

        def swap(number, text):
            os.makedirs(f"{mount}/..{number}")
            with open(f"{mount}/..{number}/settings.json", "w") as file:
                file.write(text)
            os.symlink(f"..{number}", f"{mount}/..data_tmp")
            os.rename(f"{mount}/..data_tmp", f"{mount}/..data")

        swap(1, '{ "listen": { "port": 0 }, "greeting": "first" }')
        os.symlink("..data/settings.json", f"{mount}/settings.json")
        service = self.start("--read-only", "--settings", f"{mount}/settings.json")
        self.assertEqual(service.get("/")["greeting"], "first")
        for number in range(2, 6):
            swap(number, f'{{ "listen": {{ "port": 0 }}, "greeting": "number {number}" }}')
            eventually("the new greeting", lambda: service.get("/")["greeting"] == f"number {number}")
            for name in ["settings.json"]:
                os.remove(f"{mount}/..{number - 1}/{name}")
            os.rmdir(f"{mount}/..{number - 1}")
        self.assertEqual(service.order(), 1)
        self.assertEqual(service.end(), 0)
        self.assertEqual(sorted(os.listdir(mount)), ["..5", "..data", "settings.json"])


if __name__ == "__main__":
    unittest.main()
