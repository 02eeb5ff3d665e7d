"""Editing on the administration page."""

import json
import re
import unittest

from browser import By, Keys, Page, SETTINGS
from harness import eventually


class Editing(Page):
    def test_an_edit_outside_changes_the_page(self):
        eventually("the value", lambda: self.value("greeting") == "hello")
        self.write(SETTINGS.replace('"hello"', '"good morning"'))
        eventually("the new value", lambda: self.value("greeting") == "good morning")
        self.shows("#history li", "greeting: hello → good morning")
        self.shows("#history li", "outside")
        # A screen reader says so, too.
        self.shows("#announcements", "greeting is now good morning")

    def test_an_edit_in_one_tab_changes_the_other_one_and_the_file(self):
        first = self.browser.current_window_handle
        self.open_tab()
        self.enter("greeting", "from a tab")
        self.file_has('// said to everybody\n  "greeting": "from a tab",')
        self.file_has("// our first customer")
        eventually("it is saved", lambda: self.browser.execute_script("return rows.get('/greeting').sending === nothing"))
        self.assertEqual(self.message("greeting"), "")
        self.browser.switch_to.window(first)
        eventually("the new value", lambda: self.value("greeting") == "from a tab")
        self.shows("#history li", "service")
        # A switch, and a value that the file leaves out.
        self.section("features")
        self.field("export").click()
        self.file_has('"export": true')
        self.section("General")
        self.enter("unhealthyAfter", "5m")
        self.file_has('"unhealthyAfter": "5m"')

    def test_a_refused_value_has_its_message_at_the_field(self):
        self.expected_errors = ["/admin/set.* 422"]
        self.section("listen")
        for entered, message in [("70000", '"listen.port" must be 0 to 65535'), ("x", "This must be a number"),
                                 ("1.5", '"listen.port" must be a whole number')]:
            self.enter("port", entered)
            eventually(message, lambda: message in self.message("port"))
            self.assertEqual(self.value("port"), entered)
        self.field("port").send_keys(Keys.ESCAPE)
        self.assertEqual((self.value("port"), self.message("port")), (str(self.port), ""))
        self.assertIn(f'"port": {self.port}', self.folder.read("settings.json"))
        # The message stays until the value is corrected, also in other sections.
        self.enter("port", "70000")
        eventually("the message", lambda: self.message("port"))
        self.section("General")
        self.shows("#tree .unfinished", "Not saved yet")
        self.assertEqual(self.value("listen.port"), "70000")
        self.enter("listen.port", str(self.port))
        eventually("it is not there any more", lambda: "Not saved yet" not in self.text("#tree"))

    def test_values_are_shown_as_the_service_has_them(self):
        self.enter("unhealthyAfter", "60s")
        eventually("the form of the service", lambda: self.value("unhealthyAfter") == "1m")
        self.enter("unhealthyAfter", "300s")
        eventually("the form of the service", lambda: self.value("unhealthyAfter") == "5m")
        self.assertEqual(self.message("unhealthyAfter"), "")
        self.file_has('"unhealthyAfter": "5m"')

    def test_what_a_person_types_stays_when_a_change_is_taken_back(self):
        self.type("greeting", "half typ")
        self.write(SETTINGS.replace('"hello"', '"other"'))
        eventually("both values", lambda: "changed to other" in self.message("greeting"))
        self.write(SETTINGS)
        eventually("no conflict", lambda: self.message("greeting") == "")
        self.assertEqual(self.value("greeting"), "half typ")
        # A removed group is there again with what was typed.
        self.write(SETTINGS.replace('"greeting": "hello",', ""))
        self.enter("greeting", "typed")
        self.file_has('"greeting": "typed"')

    def test_comments_of_the_file_are_shown(self):
        text = SETTINGS.replace('{ "port"', '{ // where\n "port"').replace(
            '"url"', '// "token": "hidden before"\n "url"').replace(
            '"features"', '/* switches,\n one each */ "features"')
        self.write(text)
        eventually("the comment", lambda: self.comment("greeting") == "said to everybody")
        self.section("features")
        self.shows("#tree .comment", "switches,\n one each")
        self.section("tenants")
        self.shows("#tree summary .comment", "our first customer")
        self.section("listen")
        self.shows("#tree .comment", "where")
        # A comment may have a former secret.
        self.section("upstreams")
        self.unfold("billing")
        self.assertEqual(self.comment("url"), "")
        self.assertNotIn("hidden before", self.browser.page_source)
        # A comment that is changed alone, beside a field that is being edited.
        self.section("General")
        self.type("greeting", "typed")
        self.write(text.replace("said to everybody", "<b>said</b> to all"))
        eventually("the comment", lambda: self.comment("greeting") == "<b>said</b> to all")
        self.assertEqual(self.value("greeting"), "typed")
        self.write(text.replace("// said to everybody", ""))
        eventually("no comment", lambda: self.comment("greeting") == "")
        self.assertEqual(self.text("#history"), "")

    def test_secrets_have_conflicts_although_they_look_the_same(self):
        self.expected_errors = ["/admin/set.* 409", "/admin/undo.* 409"]
        self.section("upstreams")
        self.unfold("billing")
        self.type("token", "mine")
        self.write(SETTINGS.replace("hidden", "theirs"))
        eventually("a conflict", lambda: "This was changed to <redacted> meanwhile." in self.message("token"))
        self.find(".message button").click()
        self.file_has('"token": "mine"')
        # Undo of the first change would discard the second one.
        self.shows("#history li:nth-child(2)", "token")
        self.browser.execute_script("document.querySelectorAll('#history li')[1].querySelector('button').click()")
        self.shows("#history li:nth-child(2)", "changed again since")
        self.press("Undo", "#history")
        self.file_has('"token": "theirs"')

    def test_arrays_that_only_the_file_has(self):
        self.write(SETTINGS.replace("{\n", '{ "extra": ["a", "b"],\n', 1))
        self.section("extra")
        self.field("1")
        self.write(SETTINGS.replace("{\n", '{ "extra": ["x", "a", "b"],\n', 1))
        eventually("three elements", lambda: "2" in self.text("#tree"))
        eventually("the elements", lambda: [self.value(name) for name in "012"] == ["x", "a", "b"])
        self.enter("1", "changed")
        self.file_has('["x", "changed", "b"]')

    def test_a_conflict_shows_both_values(self):
        for index, expected in [(1, "mine 1"), (2, "theirs 2")]:
            number = expected[-1]
            self.type("greeting", f"mine {number}")
            before = re.search(r'"greeting": "(.*)"', self.folder.read("settings.json"))[1]
            self.write(SETTINGS.replace('"hello"', f'"theirs {number}"'))
            eventually("both values", lambda: f"changed to theirs {number} meanwhile. You entered mine {number}."
                       in self.message("greeting"))
            self.assertNotEqual(before, f"theirs {number}")
            # Choose with the mouse, from the field.
            self.find(f".message button:nth-of-type({index})").click()
            eventually("one value", lambda: self.value("greeting") == expected and self.message("greeting") == "")
            self.file_has(f'"greeting": "{expected}"')

    def test_a_conflict_of_two_tabs(self):
        """The second tab saves before it has heard of the change of the first."""
        self.expected_errors = ["/admin/set.* 409"]
        first = self.browser.current_window_handle
        second = self.open_tab()
        # As if the event came late.
        self.browser.execute_script("rows.get('/greeting').changed = () => {}")
        self.browser.switch_to.window(first)
        self.enter("greeting", "first")
        self.file_has('"greeting": "first"')
        self.browser.switch_to.window(second)
        self.enter("greeting", "second")
        eventually("both values", lambda: "changed to first meanwhile. You entered second." in self.message("greeting"))
        self.file_has('"greeting": "first"')
        self.press("Keep mine", "#tree")
        self.file_has('"greeting": "second"')

    def test_members_are_added_and_removed(self):
        self.section("tenants")
        self.unfold("acme")
        add = self.find('#tree > .row .add')
        name, value = add.find_elements(By.CSS_SELECTOR, "input")
        name.send_keys("new/tenant")
        value.send_keys('{ "burst": 3 }', Keys.ENTER)
        self.file_has('"new/tenant": {')
        self.file_has('"burst": 3')
        eventually("it is shown", lambda: "new/tenant" in self.text("#tree"))
        # Without its member of the file, a value is the default again.
        self.assertEqual(self.value("burst"), "10")
        self.find('[aria-label="Remove tenants.acme.burst from the file"]').click()
        eventually("it is not in the file", lambda: '"burst": 10' not in self.folder.read("settings.json"))
        eventually("the default", lambda: self.value("burst") == "20")
        self.assertIn("// our first customer", self.folder.read("settings.json"))

    def test_a_change_is_undone_as_a_new_edit(self):
        self.expected_errors = ["/admin/undo.* 409"]
        self.enter("greeting", "bye")
        self.file_has('"greeting": "bye"')
        self.shows("#history li", "greeting: hello → bye")
        self.press("Undo", "#history")
        self.file_has('"greeting": "hello"')
        self.shows("#history li", "greeting: bye → hello")
        self.file_has("// said to everybody")
        # The first change has been undone already.
        self.browser.execute_script("document.querySelectorAll('#history li')[1].querySelector('button').click()")
        self.shows("#history li:nth-child(2)", "changed again since")

    def test_undoing_restores_what_the_file_had(self):
        # A default, which the file left out.
        self.enter("unhealthyAfter", "5m")
        self.file_has("unhealthyAfter")
        self.shows("#history li", "unhealthyAfter: 1m → 5m")
        self.press("Undo", "#history")
        eventually("it is left out", lambda: "unhealthyAfter" not in self.folder.read("settings.json"))
        eventually("the default", lambda: self.value("unhealthyAfter") == "1m")
        # An element of an array, whose neighbor has its position now.
        text = SETTINGS.replace("{\n", '{ "extra": ["a", "b"],\n', 1)
        self.write(text)
        self.shows("#history li", "extra: nothing → ")
        self.write(text.replace('"a", ', ""))
        self.shows("#history li", 'extra: ["a","b"] → ["b"]')
        self.press("Undo", "#history")
        eventually("both elements", lambda: re.search(r'"a",\s*"b"', self.folder.read("settings.json")))

    def test_groups_are_removed(self):
        self.expected_errors = ["/admin/set.* 409"]
        self.section("tenants")
        self.unfold("acme")
        self.press("Remove tenants.acme", "#tree")
        eventually("it is not in the file", lambda: "acme" not in self.folder.read("settings.json"))
        self.shows("#history li", "tenants.acme: {")
        self.press("Undo", "#history")
        self.file_has('"acme": {')
        # A group whose secret was changed a moment ago, which looks the same.
        self.section("upstreams")
        self.unfold("billing")
        self.browser.execute_script("window.take = takeChanges; takeChanges = () => {}; lastEvent = 'x-0'")
        self.press("Remove upstreams.billing", "#tree")
        self.shows("#tree .removal", "This was changed meanwhile")
        self.file_has('"token": "hidden"')

    def tab_to(self, what, is_there):
        """Presses Tab until a function accepts the active element."""
        for _ in range(60):
            active = self.browser.switch_to.active_element
            if is_there(active):
                return active
            active.send_keys(Keys.TAB)
        self.fail(f"{what} cannot be reached with Tab")

    def test_keyboard_only(self):
        self.expected_errors = ["/admin/set.* 409"]
        self.find("body").send_keys(Keys.TAB)
        self.assertEqual(self.browser.switch_to.active_element.text, "Skip to the settings")
        self.browser.switch_to.active_element.send_keys(Keys.ENTER)
        greeting = self.tab_to("the field", lambda active: active == self.field("greeting"))
        greeting.send_keys(Keys.CONTROL, "a")
        greeting.send_keys("typed", Keys.ENTER)
        self.file_has('"greeting": "typed"')
        # The focus stays where it is while the page follows.
        self.assertEqual(self.browser.switch_to.active_element, self.field("greeting"))
        # A conflict.
        self.field("greeting").send_keys(" more")
        self.write(SETTINGS.replace('"hello"', '"theirs"'))
        eventually("both values", lambda: "changed to theirs meanwhile" in self.message("greeting"))
        self.tab_to("the choice", lambda active: active.text == "Take theirs").send_keys(Keys.ENTER)
        eventually("the value", lambda: self.value("greeting") == "theirs")
        # The history.
        self.tab_to("undoing", lambda active: active.accessible_name == "Undo the change of greeting").send_keys(Keys.ENTER)
        self.file_has('"greeting": "typed"')
        # Another section, a group in it, and removing.
        self.browser.refresh()
        self.live()
        self.tab_to("a section", lambda active: active.text == "tenants").send_keys(Keys.ENTER)
        self.tab_to("a group", lambda active: active.tag_name == "summary" and "acme" in active.text).send_keys(Keys.ENTER)
        remove = "Remove tenants.acme.burst from the file"
        self.tab_to("removing", lambda active: active.accessible_name == remove).send_keys(Keys.SPACE)
        eventually("it is not in the file", lambda: '"burst"' not in self.folder.read("settings.json"))
        self.assertEqual(self.browser.switch_to.active_element, self.field("burst"))

    def test_what_is_typed_is_not_saved_when_the_page_is_drawn_again(self):
        self.expected_errors = ["/admin/set.* 422"]
        self.section("listen")
        self.type("port", "12")
        # Other values come and go.
        for number in range(3):
            self.write(SETTINGS.replace("{\n", '{ "extra %d": 1,\n' % number, 1))
            self.shows("#history li", f"extra {number}: nothing")
        self.assertEqual((self.value("port"), self.message("port")), ("12", ""))
        self.assertEqual(self.browser.switch_to.active_element, self.field("port"))
        self.type("port", "12x")
        self.write(SETTINGS)
        self.shows("#history li", "extra 2: 1")
        self.assertEqual((self.value("port"), self.message("port")), ("12x", ""))
        self.assertIn(f'"port": {self.port}', self.folder.read("settings.json"))
        self.field("port").send_keys(Keys.ESCAPE)
        # The field of a value that is removed meanwhile goes when the person gives it up.
        self.section("tenants")
        self.unfold("acme")
        self.type("burst", "1x")
        self.write(SETTINGS.replace("acme", "other"))
        self.shows("#tree", "Not saved yet")
        self.press("Take theirs", "#tree")
        eventually("the field is gone", lambda: "Not saved yet" not in self.text("#tree"))

    def test_a_secret_that_was_changed_during_a_restart(self):
        self.expected_errors = ["/admin/set.* 409", "net::ERR", "/admin/(events|scene)"]
        self.section("upstreams")
        self.unfold("billing")
        self.type("token", "mine")
        self.assertEqual(self.service.end(), 0)
        self.shows("#connection", "connection lost")
        self.write(SETTINGS.replace("hidden", "theirs"))
        self.service = self.start()
        self.shows("#connection", "live")
        self.field("token").send_keys(Keys.ENTER)
        eventually("a conflict", lambda: "This was changed to <redacted> meanwhile." in self.message("token"))
        self.assertIn('"token": "theirs"', self.folder.read("settings.json"))

    def test_values_are_text_and_secrets_are_hidden(self):
        html = "<img src=x onerror=alert(1)><script>alert(2)</script>"
        self.write(SETTINGS.replace('"hello"', json.dumps(html)))
        eventually("the text", lambda: self.value("greeting") == html)
        self.shows("#history li", html[:40])
        self.assertEqual(self.browser.execute_script("return document.querySelectorAll('img, #history script').length"), 0)
        self.section("upstreams")
        self.unfold("billing")
        self.assertEqual(self.value("token"), "<redacted>")
        self.enter("token", "new secret")
        self.file_has('"token": "new secret"')
        self.assertNotIn("new secret", self.text("#history"))
        eventually("it is hidden", lambda: self.value("token") == "<redacted>")


if __name__ == "__main__":
    unittest.main()
