extension EditCase {
    static let several = Group(
        "Several edits",
        [
            EditCase(
                "add one member, remove another",
                """
                {
                  "a": 1,
                  "b": 2,
                  "c": 3
                }
                """,
                [.remove("b"), .add("d", "4")],
                """
                {
                  "a": 1,
                  "c": 3,
                  "d": 4
                }
                """),
            EditCase(
                "remove the last member, add another",
                """
                {
                  "a": 1,
                  "b": 2 // b's
                }
                """,
                [.remove("b"), .add("c", "3")],
                """
                {
                  "a": 1,
                  "c": 3
                }
                """),
            EditCase(
                "remove the only member, add another",
                """
                {
                    "a": 1 // a's
                }
                """,
                [.remove("a"), .add("b", "2")],
                """
                {
                    "b": 2
                }
                """),
            EditCase(
                "nested paths",
                """
                {
                  "http": {
                    "port": 1
                  }
                }
                """,
                [.set("http.port", "2"), .add("http.tls", #"{"on": false}"#), .set("http.tls.on", "true")],
                """
                {
                  "http": {
                    "port": 2,
                    "tls": {
                      "on": true
                    }
                  }
                }
                """),
            EditCase(
                "remove a member and add it again",
                """
                {
                  "a": 1, // a's
                  "b": 2
                }
                """,
                [.remove("a"), .add("a", "3")],
                """
                {
                  "a": 3, // a's
                  "b": 2
                }
                """),
            EditCase(
                "change a value and change it back",
                #"{ "a": 1.0 }"#,
                [.set("a", "2"), .set("a", "1")],
                #"{ "a": 1.0 }"#),
        ])
}
