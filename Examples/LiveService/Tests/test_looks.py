"""How the administration page looks, in two themes and three widths.

LIVESERVICE_SCREENSHOTS=FOLDER keeps the screenshots of all states.
"""

import os
import signal
import unittest

from browser import By, Keys, Page, SETTINGS
from harness import eventually

# For every text that can be seen: its contrast with what is behind it, by the formula of WCAG 2.
CONTRAST = """
const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const color = (text) => text.match(/[0-9.]+/g).map(Number);
function behind(element) {
  for (; element; element = element.parentElement) {
    const found = color(getComputedStyle(element).backgroundColor);
    if (found.length < 4 || found[3] === 1) return found;
  }
  return color(getComputedStyle(document.documentElement).colorScheme === "dark" ? "rgb(0,0,0)" : "rgb(255,255,255)");
}
const poor = [];
for (const element of document.querySelectorAll("body *")) {
  const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) ||
    element.tagName === "INPUT";
  if (!hasText || element.disabled || !element.checkVisibility() || element.closest(".hidden, .skip")) continue;
  const [front, back] = [color(getComputedStyle(element).color), behind(element)].map(luminance);
  const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
  if (ratio < 4.5) poor.push(`${element.tagName} ${element.className} ${element.textContent.slice(0, 30)}: ${ratio.toFixed(2)}`);
}
return poor;
"""


class Looks(Page):
    expected_errors = ["/admin/set.* 4(09|22)", "net::ERR_"]

    def test_looks(self):
        folder = os.environ.get("LIVESERVICE_SCREENSHOTS") or self.folder.file("screenshots")
        os.makedirs(folder, exist_ok=True)
        for theme in ["light", "dark"]:
            self.browser.execute_cdp_cmd(
                "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
            for width in [360, 1024, 2000]:
                self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                    "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
                for name, prepare in self.states(width):
                    with self.subTest(f"{name}, {theme}, {width}"):
                        prepare()
                        self.browser.save_screenshot(os.path.join(folder, f"{name}-{theme}-{width}.png"))
                        self.assertEqual(self.browser.execute_script(CONTRAST), [])
                        self.assertLessEqual(
                            self.browser.execute_script("return document.documentElement.scrollWidth"), width)
                        self.check_names()
                self.write(SETTINGS)
                eventually("no banner", lambda: not self.find("#banner").is_displayed())
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def states(self, width):
        def general():
            self.browser.refresh()
            self.live()
            self.section("General")

        def tenants():
            self.section("tenants")
            self.unfold("acme")
            self.field("burst")

        def refused():
            self.section("listen")
            self.enter("port", "70000")
            eventually("the message", lambda: self.message("port"))

        def conflict():
            self.section("General")
            self.type("greeting", "mine")
            self.write(SETTINGS.replace('"hello"', '"theirs"'))
            eventually("both values", lambda: "theirs" in self.message("greeting"))

        def search():
            self.find("#filter").send_keys("e")
            self.shows("#tree", "features.search")

        def broken():
            general()
            self.write(SETTINGS.replace('"hello",', '"hello"'))
            eventually("the banner", lambda: self.find("#banner").is_displayed())

        def changed():
            # The shown row and another section flash.
            self.section("General")
            # Stop at the beginning of the animation.
            self.browser.execute_script(
                "flash = (t) => { t.classList.add('changed'); t.style.animation = 'none'; t.style.background = 'var(--changed)'; }")
            self.write(SETTINGS.replace('"hello"', '"changed"').replace('"export": false', '"export": true'))
            eventually("it flashes", lambda: self.browser.find_elements(By.CSS_SELECTOR, ".row.changed"))

        def unfinished():
            self.section("listen")
            self.type("port", "70000", Keys.ENTER)
            eventually("the message", lambda: self.message("port"))
            self.section("General")
            self.shows("#tree .unfinished", "Not saved yet")

        def adding():
            general()
            self.section("tenants")
            name, value = self.browser.find_elements(By.CSS_SELECTOR, "#tree > .row .add input")
            name.send_keys("new")
            value.send_keys("no JSON", Keys.ENTER)
            self.shows("#tree > .row .message", "The value must be JSON")

        def lost():
            general()
            self.service.signal(signal.SIGSTOP)
            self.addCleanup(self.service.signal, signal.SIGCONT)
            self.shows("#connection", "connection lost")

        def found():
            self.service.signal(signal.SIGCONT)
            self.shows("#connection", "live")

        return [("general", general), ("tenants", tenants), ("refused", refused), ("conflict", conflict),
                ("search", search), ("broken", broken), ("changed", changed), ("unfinished", unfinished),
                ("adding", adding)] + ([("lost", lost), ("found", found)] if width == 360 else [])

    def check_names(self):
        """Everything that can be used has a name for a screen reader."""
        nameless = [element.get_attribute("outerHTML")[:80]
                    for element in self.browser.find_elements(By.CSS_SELECTOR, "button, input, summary, nav, aside")
                    if element.is_displayed() and not element.accessible_name]
        self.assertEqual(nameless, [])

    def test_changes_shift_nothing(self):
        for width in [360, 1024, 2000]:
            with self.subTest(width):
                self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                    "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
                self.write(SETTINGS)
                self.browser.refresh()
                self.live()
                # A new entry of the history moves the earlier ones down. Nothing else moves.
                self.browser.execute_script(
                    "window.shifts = []; new PerformanceObserver((list) => { for (const entry of list.getEntries()) "
                    "for (const each of entry.sources) if (!historyList.contains(each.node) && each.node?.isConnected) "
                    "shifts.push(`${each.node.nodeName} ${each.node.id}: ${each.node.textContent.slice(0, 60)}`); })"
                    ".observe({ type: 'layout-shift', buffered: true });")
                for text in ["one", "two", "three"]:
                    self.write(SETTINGS.replace('"hello"', f'"{text}"'))
                    eventually("the change", lambda: self.value("greeting") == text)
                self.write(SETTINGS.replace('"hello",', '"hello"'))
                eventually("the banner", lambda: self.find("#banner").is_displayed())
                self.write(SETTINGS)
                eventually("no banner", lambda: not self.find("#banner").is_displayed())
                self.assertEqual(self.browser.execute_script("return window.shifts"), [])
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


if __name__ == "__main__":
    unittest.main()
