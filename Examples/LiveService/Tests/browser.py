"""The base of tests of the administration page in a real browser: Chromium, driven by selenium."""

import os
import re
import shutil
import socket
import threading
import unittest

from harness import ServiceTest, eventually, free_ports

try:
    from selenium import webdriver
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    webdriver = By = Keys = None

SETTINGS = """{
  // said to everybody
  "greeting": "hello",
  "listen": { "port": PORT },
  "tenants": {
    "acme": { "requestsPerSecond": 5, "burst": 10 }, // our first customer
    "zenith": {},
  },
  "features": { "search": true, "export": false },
  "upstreams": { "billing": { "url": "https://billing.example/", "token": "hidden" } },
}
"""


class Proxy:
    """Forwards connections to a port, until they are cut."""

    def __init__(self, port):
        self.target = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.is_cut = False
        self.connections = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.is_cut:
                client.close()
                continue
            server = socket.create_connection(("127.0.0.1", self.target))
            self.connections += [client, server]
            for pair in [(client, server), (server, client)]:
                threading.Thread(target=self.forward, args=pair, daemon=True).start()

    @staticmethod
    def forward(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass
        for each in [source, target]:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        """Ends all connections, and accepts no others until `restore`."""
        self.is_cut = True
        for each in self.connections:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def restore(self):
        self.is_cut = False

    def close(self):
        self.cut()
        self.listener.shutdown(socket.SHUT_RDWR)
        for each in [self.listener, *self.connections]:
            each.close()


class Page(ServiceTest):
    browser = None

    @classmethod
    def setUpClass(cls):
        missing = [name for name in ["chromium", "chromedriver"] if not shutil.which(name)]
        missing += [] if webdriver else ["python3-selenium"]
        if missing:
            if os.environ.get("SESSIONMIRROR_NO_SKIPS"):
                raise AssertionError(f"{', '.join(missing)} is not installed")
            raise unittest.SkipTest(f"{', '.join(missing)} is not installed")
        options = webdriver.ChromeOptions()
        for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                         "--window-size=1280,900", "--lang=en"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = webdriver.chrome.service.Service("/usr/bin/chromedriver")
        cls.browser = webdriver.Chrome(options=options, service=service)

    @classmethod
    def tearDownClass(cls):
        if cls.browser:
            cls.browser.quit()

    def setUp(self):
        super().setUp()
        self.port = free_ports(1)[0]
        self.write(SETTINGS)
        self.service = self.start()
        self.browser.delete_all_cookies()
        self.open()

    def tearDown(self):
        # Every test ends without an error of the page.
        errors = [line["message"] for line in self.browser.get_log("browser") if line["level"] == "SEVERE"]
        unexpected = [line for line in errors if not any(re.search(known, line) for known in self.expected_errors)]
        while len(self.browser.window_handles) > 1:
            self.browser.switch_to.window(self.browser.window_handles[-1])
            self.browser.close()
        self.browser.switch_to.window(self.browser.window_handles[0])
        self.browser.get("about:blank")
        self.assertEqual(unexpected, [])

    # Errors that the browser itself logs for unsuccessful answers and lost connections.
    expected_errors = ()

    def write(self, text):
        self.folder.write("settings.json", text.replace("PORT", str(self.port)))

    def open(self, through=None):
        """Opens the page in this tab, by the link of the log; through the port of a proxy, if there is one."""
        self.service.logged("administration")
        link = re.search(r"page=(\S+)", self.service.log)[1]
        self.browser.get(link.replace(str(self.port), str(through or self.port)))
        self.assertEqual(self.browser.current_url, f"http://127.0.0.1:{through or self.port}/admin")
        self.live()

    def open_tab(self):
        self.browser.switch_to.new_window("tab")
        self.browser.get(f"http://127.0.0.1:{self.port}/admin")
        self.live()
        return self.browser.current_window_handle

    def live(self):
        self.shows("#connection", "live")
        eventually("the settings are shown", lambda: self.find("#tree").get_attribute("aria-busy") == "false")

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        # The element may be replaced in between.
        return self.browser.execute_script(
            "return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def shows(self, selector, text):
        eventually(lambda: f"{text!r} in {selector}: {self.text(selector)!r}", lambda: text in self.text(selector))

    def section(self, name):
        eventually(f"the section {name}", lambda: self.browser.execute_script(
            "const found = [...document.querySelectorAll('#sections button')].find((b) => b.textContent === arguments[0]);"
            "found?.click(); return Boolean(found);", name))

    def unfold(self, name):
        self.browser.execute_script(
            "[...document.querySelectorAll('summary')].find((s) => s.textContent.startsWith(arguments[0]))"
            ".parentElement.open = true", name)

    FIELD = ("const label = [...document.querySelectorAll('#tree label')].find((l) => l.textContent === arguments[0]);"
             "const field = label && document.getElementById(label.htmlFor);")

    def field(self, name):
        """The input with a label."""
        return eventually(f"the field {name}", lambda: self.browser.execute_script(self.FIELD + "return field;", name))

    # In one step, because the page may replace the field.

    def value(self, name):
        return self.browser.execute_script(self.FIELD + "return field?.value", name)

    def message(self, name):
        return self.browser.execute_script(
            self.FIELD + "const m = field && document.getElementById(field.id + '-message');"
            "return !m || m.hidden ? '' : m.textContent", name)

    def type(self, name, *keys):
        """Replaces the text of a field, without saving it."""
        field = self.field(name)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(*keys)

    def enter(self, name, text):
        self.type(name, text, Keys.ENTER)

    def comment(self, name):
        return self.browser.execute_script(
            self.FIELD + "const c = field && document.getElementById(field.id + '-comment');"
            "return !c || c.hidden ? '' : c.textContent", name)

    def press(self, text, within="body"):
        self.browser.execute_script(
            "[...document.querySelector(arguments[1]).querySelectorAll('button')]"
            ".find((b) => b.textContent === arguments[0]).click()", text, within)

    def file_has(self, text):
        def contents():
            return self.folder.read("settings.json") if os.path.exists(self.folder.file("settings.json")) else ""

        eventually(lambda: f"{text!r} in the file:\n{contents()}", lambda: text in contents())
