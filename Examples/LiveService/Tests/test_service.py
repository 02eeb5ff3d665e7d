"""The answers of the service, and how it follows its settings."""

import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import threading
import unittest

from harness import PROGRAM, ServiceTest, eventually, free_ports

SETTINGS = """{
  // said to everybody
  "greeting": "hello",
  "listen": { "port": 0 },
  "tenants": { "acme": { "requestsPerSecond": 0.001, "burst": 2 }, "a/b": {} },
  "features": { "search": true, "export": false },
  "upstreams": { "billing": { "url": "https://billing.example/", "token": "hidden" } },
}
"""


class Answers(ServiceTest):
    settings = SETTINGS

    def test_greeting_follows_the_file(self):
        service = self.start()
        first = service.get("/")
        self.assertEqual(first, {"greeting": "hello", "features": ["search"], "version": first["version"]})
        self.folder.write("settings.json", SETTINGS.replace("hello", "good morning").replace("false", "true"))
        eventually("the new greeting", lambda: service.get("/")["greeting"] == "good morning")
        self.assertEqual(service.get("/")["features"], ["export", "search"])
        self.assertEqual(service.end(), 0)
        # The program has not changed the settings, and the state has the hits.
        self.assertIn("// said to everybody", self.folder.read("settings.json"))
        self.assertGreaterEqual(json.loads(self.folder.read("state/state.json"))["hits"]["main"], 3)

    def test_tenants_have_limits_that_follow_the_file(self):
        service = self.start()
        statuses = [service.request("GET", "/tenants/acme")[0] for _ in range(3)]
        self.assertEqual(statuses, [200, 200, 429])
        self.assertGreater(int(service.request("GET", "/tenants/acme")[1]["Retry-After"]), 500)
        self.assertEqual(service.request("GET", "/tenants/a%2Fb")[0], 200)
        self.assertEqual(service.request("GET", "/tenants/nobody")[0], 404)
        self.folder.write("settings.json", SETTINGS.replace('"requestsPerSecond": 0.001', '"requestsPerSecond": 10000'))
        eventually("the new limit", lambda: service.request("GET", "/tenants/acme")[0] == 200)

    def test_metrics_are_in_the_format_of_prometheus(self):
        service = self.start()
        service.get("/")
        status, headers, body = service.request("GET", "/metrics")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/plain; version=0.0.4; charset=utf-8"))
        samples = re.compile(r'(# (HELP|TYPE) \S+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+)\n')
        self.assertEqual(samples.sub("", body), "")
        self.assertIn('liveservice_requests_total{route="/",status="200"} 1\n', body)
        # A file that has just been written may be read more than once.
        self.assertGreaterEqual(service.metric('liveservice_file_loads_total{file="settings"}'), 1)
        self.assertIn('liveservice_hits_total{name="main"} 1\n', body)

    def test_names_are_escaped_in_metrics_whatever_follows_a_quote(self):
        service = self.start("--name", 'a"\u0301\r\nb')
        service.get("/")
        self.assertIn('liveservice_hits_total{name="a\\"\u0301\r\\nb"} 1\n', service.metrics)

    def test_invalid_settings_keep_the_last_ones_and_become_unhealthy(self):
        service = self.start()
        self.assertEqual(service.get("/healthz")["status"], "ok")
        self.folder.write("settings.json", SETTINGS.replace('"hello"', "hello"))
        service.logged("settings.json:3:15: error")
        self.assertEqual(service.get("/")["greeting"], "hello")
        # The default is a minute, which has not passed.
        report = service.get("/healthz")
        self.assertEqual((report["status"], report["settings"]["content"]), ("ok", "invalid"))
        self.folder.write("settings.json", SETTINGS.replace("{\n", '{ "unhealthyAfter": "10ms",\n', 1))
        service.logged("solved: ")
        self.folder.write("settings.json", SETTINGS.replace('"port": 0', '"port": 70000'))
        service.logged('settings.json:4:23: error: "listen.port" must be 0 to 65535')
        eventually("503", lambda: service.request("GET", "/healthz")[0] == 503)
        status, _, body = service.request("GET", "/healthz")
        self.assertIn("must be 0 to 65535", json.loads(body)["settings"]["problem"])
        self.folder.write("settings.json", SETTINGS)
        eventually("200", lambda: service.request("GET", "/healthz")[0] == 200)

    def test_a_deleted_file_is_unhealthy_unless_the_service_writes_it(self):
        self.folder.write("settings.json", SETTINGS.replace("{\n", '{ "unhealthyAfter": "10ms",\n', 1))
        service = self.start()
        service.get("/")
        state = self.folder.file("state/state.json")
        eventually("the state is saved", lambda: os.path.exists(state))
        os.remove(state)
        eventually("it is noticed", lambda: service.get("/healthz")["state"]["content"] == "missing")
        os.remove(self.folder.file("settings.json"))
        eventually("503", lambda: service.request("GET", "/healthz")[0] == 503)
        report = json.loads(service.request("GET", "/healthz")[2])
        self.assertEqual((report["settings"]["content"], "seconds" in report["state"]), ("missing", False))
        self.assertIn("was deleted", report["settings"]["problem"])
        service.logged("the file was deleted: the last values stay in effect file=settings")
        # The last settings are served.
        self.assertEqual(service.get("/")["greeting"], "hello")
        self.folder.write("settings.json", SETTINGS)
        eventually("200", lambda: service.request("GET", "/healthz")[0] == 200)
        service.logged("the file is there again file=settings")

    def test_a_full_disk_for_the_log_ends_nothing(self):
        port = free_ports(1)[0]
        self.folder.write("settings.json", '{ "logLevel": "debug", "listen": { "port": %d } }' % port)
        with open("/dev/full", "wb") as full:
            process = subprocess.Popen(
                [PROGRAM, "--settings", self.folder.file("settings.json"), "--state", self.folder.file("state.json")],
                stderr=full)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

        def answers():
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            try:
                connection.request("GET", "/")
                return connection.getresponse().status == 200
            except ConnectionRefusedError:
                return False
            finally:
                connection.close()

        eventually("it answers", answers)
        self.assertTrue(answers())
        self.assertIsNone(process.poll())

    def test_nonsense_is_rejected_with_its_place(self):
        service = self.start()
        for line, old, new, message in [
            (3, '"hello"', '""', '"greeting" must not be empty'),
            (4, '"port": 0', '"host": "example.com"', '"listen.host" must be an IP address, such as 127.0.0.1 or ::'),
            (5, '"burst": 2', '"burst": 0', '"tenants.acme.burst" must be 1 to 1000000'),
            (5, "0.001", "-1", '"tenants.acme.requestsPerSecond" must be 0.001 to 1000000'),
            (7, "https:", "ftp:", '"upstreams.billing.url" must be an http or https URL with a host'),
            (7, '"token": "hidden"', '"timeout": "0s"', '"upstreams.billing.timeout" must be more than 0'),
            (3, '"hello"', '"hello", "logLevel": "loud"', '"logLevel" must be one of'),
        ]:
            with self.subTest(message):
                self.folder.write("settings.json", SETTINGS.replace(old, new))
                eventually(message, lambda: re.search(rf"settings\.json:{line}:\d+: error: {re.escape(message)}", service.log))
        self.assertEqual(service.get("/")["greeting"], "hello")

    def test_secrets_are_in_no_message(self):
        service = self.start()
        self.folder.write("settings.json", SETTINGS.replace('"hidden"', "17").replace("hello", "x"))
        service.logged('"upstreams.billing.token" must be a string')
        self.folder.write("settings.json", SETTINGS.replace('"hidden"', '"hidden" oops'))
        service.logged("settings.json:7:84: error")
        self.assertNotIn("hidden", service.log)

    def test_the_log_level_follows_the_file(self):
        service = self.start()
        service.get("/")
        self.assertNotIn("answered", service.log)
        self.folder.write("settings.json", SETTINGS.replace("{\n", '{ "logLevel": "debug",\n', 1))
        eventually("a line", lambda: service.get("/") and "debug answered route=/ status=200" in service.log)

    def test_the_service_does_not_start_with_an_invalid_file(self):
        self.folder.write("settings.json", '{ "greeting": 5 }')
        service = self.launch()
        self.assertEqual(service.process.wait(20), 1)
        self.assertIn('settings.json:1:15: error: "greeting" must be a string, found 5', service.log)
        for arguments, message in [(["--set"], "there is no option --set"), (["--state"], "--state needs a value")]:
            service = self.launch(*arguments)
            self.assertEqual(service.process.wait(20), 2)
            self.assertIn(f"liveservice: {message}\nusage: liveservice", service.log)


class Listening(ServiceTest):
    def test_a_changed_port_drops_no_request(self):
        """Some clients keep their connections, others open one for each request."""
        ports = free_ports(6)
        self.folder.write("settings.json", json.dumps({"listen": {"port": ports[0]}}))
        service = self.start()
        stop, failures = threading.Event(), []
        # The last port of the settings, and for each client the ports that answered its requests.
        wanted, answered = [ports[0]], [[ports[0]] for _ in range(4)]

        def connect(port):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            connection.connect()
            return connection

        def reconnect(port):
            """Connects to the last port of the service; if that is closed, the service must listen on the next port."""
            try:
                return connect(port)
            except ConnectionError:
                return connect(wanted[0])

        def ask(client):
            keeps_connection = client % 2 == 0
            try:
                connection = connect(ports[0])
                while not stop.is_set():
                    connection.request("GET", "/")
                    response = connection.getresponse()
                    response.read()
                    if response.status != 200 or response.getheader("Connection"):
                        raise AssertionError(f"{response.status} {response.getheaders()}")
                    answered[client].append(connection.port)
                    if not keeps_connection:
                        connection.close()
                        connection = reconnect(connection.port)
                connection.close()
            except Exception as error:
                failures.append(f"{'kept' if keeps_connection else 'new'} connection, {answered[client][-1]}: {error!r}")

        threads = [threading.Thread(target=ask, args=(client,), daemon=True) for client in range(4)]
        for thread in threads:
            thread.start()
        try:
            for port in ports:
                wanted[0] = port
                self.folder.write("settings.json", json.dumps({"listen": {"port": port}}))
                # Before the port changes again, each client gets answers; clients that reconnect get them from the new
                # port.
                counts = [len(each) for each in answered]
                eventually("answers to all", lambda: failures or all(
                    len(each) > count + 20 and (each[-1] == port or client % 2 == 0)
                    for client, (each, count) in enumerate(zip(answered, counts))))
        finally:
            stop.set()
            for thread in threads:
                thread.join(20)
        self.assertEqual(failures, [])
        # Nothing listens on the old ports.
        for port in ports[:-1]:
            with self.assertRaises(ConnectionRefusedError):
                service.request("GET", "/", port=port)

    def test_a_port_that_is_taken_is_used_when_it_is_free(self):
        service = self.start()
        first = service.port
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            self.folder.write("settings.json", json.dumps({"listen": {"port": port}}))
            service.logged(f'cannot apply "listen", retrying: 127.0.0.1:{port}: Address already in use')
            self.assertEqual(service.request("GET", "/", port=first)[0], 200)
        eventually("the new port", lambda: service.port == port)
        self.assertEqual(service.request("GET", "/")[0], 200)
        # A service that cannot listen at all ends.
        second = self.launch(log="second")
        self.assertEqual(second.process.wait(20), 1)
        self.assertEqual(second.log, f"liveservice: 127.0.0.1:{port}: Address already in use\n")

    def test_another_address_and_time_on_the_same_port(self):
        service = self.start()
        port = service.port
        kept = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        self.addCleanup(kept.close)
        kept.request("GET", "/")
        kept.getresponse().read()
        stop, failures = threading.Event(), []

        def ask():
            while not stop.is_set():
                try:
                    if service.request("GET", "/", port=port)[0] != 200:
                        failures.append("no answer")
                except OSError as error:
                    failures.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        self.addCleanup(thread.join, 20)
        self.addCleanup(stop.set)
        listen = {"port": port}
        for key, value in [("host", "0.0.0.0"), ("requestTime", "20s"), ("host", "127.0.0.1"), ("requestTime", "5s")]:
            listen[key] = value
            count = service.log.count("listening address")
            self.folder.write("settings.json", json.dumps({"listen": listen}))
            eventually(lambda: f"it listens: {listen}: {service.log}", lambda: service.log.count("listening address") > count)
            self.assertEqual(service.request("GET", "/", port=port)[0], 200)
        # No interface has this address: the service keeps its socket.
        self.folder.write("settings.json", json.dumps({"listen": {"port": port, "host": "192.0.2.1"}}))
        service.logged(f"192.0.2.1:{port}: Cannot assign requested address")
        self.folder.write("settings.json", json.dumps({"greeting": "back", "listen": listen}))
        eventually("the last settings", lambda: service.get("/")["greeting"] == "back")
        stop.set()
        thread.join(20)
        self.assertEqual(failures, [])
        # The first connection was never ended.
        kept.request("GET", "/")
        self.assertEqual(kept.getresponse().status, 200)
        self.assertEqual(service.log.count(" error "), 1)

    def test_tls(self):
        self.needs("openssl")
        for name in ["first", "second"]:
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                 "-subj", f"/CN={name}", "-days", "2", "-keyout", self.folder.file(f"{name}.key"),
                 "-out", self.folder.file(f"{name}.pem")],
                check=True, capture_output=True)
        tls = {name: {"certificate": self.folder.file(f"{name}.pem"), "key": self.folder.file(f"{name}.key")}
               for name in ["first", "second"]}
        port = free_ports(1)[0]
        self.folder.write("settings.json", json.dumps({"listen": {"port": port, "tls": tls["first"]}}))
        service = self.start()
        service.logged("https://")
        certificate = lambda: ssl.get_server_certificate(("127.0.0.1", port))
        self.assertEqual(certificate(), self.folder.read("first.pem"))
        self.folder.write("settings.json", json.dumps({"listen": {"port": port, "tls": tls["second"]}}))
        eventually("the second certificate", lambda: certificate() == self.folder.read("second.pem"))
        # A certificate or key that cannot be used changes nothing.
        for wrong in [dict(tls["second"], key="/nowhere"), dict(tls["second"], key=tls["first"]["key"])]:
            count = service.log.count('cannot apply "listen"')
            self.folder.write("settings.json", json.dumps({"listen": {"port": port, "tls": wrong}}))
            eventually("the error", lambda: service.log.count('cannot apply "listen"') > count)
            self.assertEqual(certificate(), self.folder.read("second.pem"))
        service.logged("/nowhere: No such file or directory")
        # A renewed certificate has the old name: SIGHUP reloads it.
        self.folder.write("settings.json", json.dumps({"listen": {"port": port, "tls": tls["second"]}}))
        for suffix in ["pem", "key"]:
            self.folder.write(f"second.{suffix}", self.folder.read(f"first.{suffix}"))
        service.signal(signal.SIGHUP)
        eventually("the renewed certificate", lambda: certificate() == self.folder.read("first.pem"))


if __name__ == "__main__":
    unittest.main()
