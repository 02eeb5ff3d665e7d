"""Access to the settings: tokens, cookies, origins and host names."""

import http.client
import unittest

from harness import ServiceTest

ROUTES = [
    ("GET", "/admin"), ("GET", "/admin/page.css"), ("GET", "/admin/values.js"), ("GET", "/admin/rows.js"),
    ("GET", "/admin/tree.js"), ("GET", "/admin/events.js"), ("GET", "/admin/events"), ("GET", "/admin/scene?scene=1"),
    ("POST", "/admin/scene"), ("POST", "/admin/set"), ("POST", "/admin/undo"), ("POST", "/orders"),
]

POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
          "form-action 'none'; frame-ancestors 'none'")


class Access(ServiceTest):
    def setUp(self):
        super().setUp()
        self.service = self.start()

    def status(self, method, path, **headers):
        """The status of the answer to a request, without its body: a stream of events has no end."""
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=20)
        try:
            connection.request(method, path, "{}" if method == "POST" else None, headers)
            return connection.getresponse().status
        finally:
            connection.close()

    def test_every_route_needs_the_token_or_the_cookie(self):
        cookie = self.service.cookie
        wrong = cookie[:-1] + ("0" if cookie[-1] != "0" else "1")
        port = self.service.port
        for method, path in ROUTES:
            # Allowed requests pass the access check. Changes are then rejected because of their empty body.
            allowed = {"/admin/set": 422, "/admin/undo": 422, "/orders": 201}.get(path, 422 if method == "POST" else 200)
            bearer = f"Bearer {self.service.token}"
            for status, headers in [
                (401, {}), (401, {"Cookie": "liveservice=1"}), (401, {"Authorization": "Basic 0"}),
                (403, {"Authorization": "Bearer " + "0" * 64}), (403, {"Authorization": "Bearer "}),
                (403, {"Authorization": f"Bearer {self.service.token}0"}), (403, {"Cookie": wrong}),
                (403, {"Cookie": cookie, "Origin": "http://example.com"}), (403, {"Cookie": cookie, "Origin": "null"}),
                (403, {"Cookie": cookie, "Origin": f"http://127.0.0.1:{port + 1}"}),
                (403, {"Authorization": bearer, "Origin": "http://example.com"}),
                (421, {"Cookie": cookie, "Host": "example.com"}), (421, {"Cookie": cookie, "Host": f"example.com:{port}"}),
                (421, {"Cookie": cookie, "Host": "127.0.0.1.example.com"}),
                (allowed, {"Cookie": cookie}), (allowed, {"Cookie": f"a=b; {cookie}; c=d", "Host": f"localhost:{port}"}),
                (allowed, {"Cookie": cookie, "Host": f"[::1]:{port}", "Origin": f"http://[::1]:{port}"}),
                # A program may use any name: no browser sends the token for the page of another site.
                (allowed, {"Authorization": bearer}), (allowed, {"Authorization": bearer, "Host": "liveservice.example"}),
            ]:
                with self.subTest(f"{method} {path} {headers}"):
                    self.assertEqual(self.status(method, path, **headers), status)

    def test_other_requests_need_none(self):
        for path, status in [("/", 200), ("/healthz", 200), ("/metrics", 200), ("/tenants/nobody", 404)]:
            self.assertEqual(self.status("GET", path, Host="example.com", Origin="http://example.com"), status)

    def test_signing_in(self):
        name = self.service.cookie.split("=")[0]
        self.assertRegex(name, "^liveservice-[0-9a-f]+$")
        status, headers, body = self.service.request("GET", f"/admin?token={self.service.token}")
        value = self.service.cookie.split("=")[1]
        self.assertEqual((status, headers["Location"], body), (303, "/admin", ""))
        self.assertEqual(headers["Set-Cookie"], f"{name}={value}; Path=/; HttpOnly; SameSite=Strict")
        self.assertNotIn(self.service.token, str(headers))
        self.assertEqual((headers["Cache-Control"], headers["Referrer-Policy"]), ("no-store", "no-referrer"))
        for status, query, headers in [(403, "0" * 64, {}), (403, "", {}), (403, value, {}),
                                       (421, self.service.token, {"Host": "example.com"})]:
            self.assertEqual(self.status("GET", f"/admin?token={query}", **headers), status)

    def test_the_headers_of_every_answer(self):
        for method, path in ROUTES:
            if path in ["/admin/events", "/orders"]:
                continue
            for cookie in [self.service.cookie, ""]:
                _, headers, _ = self.service.request(method, path, "{}", {"Cookie": cookie})
                with self.subTest(f"{method} {path} {cookie}"):
                    self.assertEqual(headers["Content-Security-Policy"], POLICY)
                    self.assertEqual([headers[name] for name in ["X-Content-Type-Options", "Cache-Control", "Referrer-Policy"]],
                                     ["nosniff", "no-store", "no-referrer"])

    def test_odd_changes(self):
        headers = {"Cookie": self.service.cookie}
        for status, path, body in [
            (400, "/admin/set", "no JSON"), (400, "/admin/set", ""), (422, "/admin/set", "[]"),
            (422, "/admin/set", '{ "path": "greeting/~2" }'), (422, "/admin/set", '{ "path": 5 }'),
            (422, "/admin/set", '{ "path": "/greeting", "seen": "hello", "value": 5 }'),
            (422, "/admin/set", '{ "path": "/greeting", "seen": "hello", "value": "" }'),
            (409, "/admin/set", '{ "path": "/greeting", "seen": "bye", "value": "ciao" }'),
            (422, "/admin/undo", '{ "number": 1, "instance": "x" }'), (422, "/admin/undo", '{ "number": "1" }'),
            (422, "/admin/scene", '{ "scene": "" }'), (422, "/admin/scene", '{ "scene": "%s" }' % ("x" * 65)),
            (422, "/admin/scene", '{ "scene": "a", "filter": "%s" }' % ("x" * 1_001)),
        ]:
            with self.subTest(f"{path} {body[:60]}"):
                self.assertEqual(self.service.request("POST", path, body, headers)[0], status)
        for method, path, allowed in [
            ("DELETE", "/admin", "GET"), ("POST", "/admin/events", "GET"), ("GET", "/admin/set", "POST"),
            ("GET", "/admin/undo", "POST"), ("PUT", "/admin/scene", "GET, POST"), ("POST", "/admin/rows.js", "GET"),
        ]:
            status, answer, _ = self.service.request(method, path, "{}", headers)
            self.assertEqual((path, status, answer.get("Allow")), (path, 405, allowed))
        self.assertEqual(self.service.request("GET", "/admin/nothing", headers=headers)[0], 404)
        self.assertEqual(self.service.get("/")["greeting"], "hello")


if __name__ == "__main__":
    unittest.main()
