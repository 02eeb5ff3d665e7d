extension EditCase {
    static let insertions = Group(
        "Added members",
        [
            EditCase(
                "an empty object",
                "{}",
                [.add("a", "1")],
                """
                {
                  "a": 1
                }
                """),
            EditCase(
                "an empty object with a space",
                "{ }",
                [.add("a", "1")],
                """
                {
                  "a": 1
                }
                """),
            EditCase(
                "an empty object on two lines",
                """
                {
                }
                """,
                [.add("a", "1")],
                """
                {
                  "a": 1
                }
                """),
            EditCase(
                "an empty object inside another",
                """
                {
                    "http": {}, // defaults
                    "port": 1
                }
                """,
                [.add("http.tls", "true")],
                """
                {
                    "http": {
                        "tls": true
                    }, // defaults
                    "port": 1
                }
                """),
            EditCase(
                "an empty object on one line",
                #"{ "http": {}, "port": 1 }"#,
                [.add("http.tls", "true")],
                #"{ "http": { "tls": true }, "port": 1 }"#),
            EditCase(
                "an empty object on one line without spaces",
                "{\"http\":{},\"port\":1}",
                [.add("http.tls", "true"), .add("http.x", "[]")],
                "{\"http\":{\"tls\":true,\"x\":[]},\"port\":1}", isWhole: true),
            EditCase(
                "an object with only a comment",
                """
                {
                  // nothing yet
                }
                """,
                [.add("a", "1")],
                """
                {
                  "a": 1
                  // nothing yet
                }
                """),
            EditCase(
                "an object with only a comment, on one line",
                "{ /* nothing yet */ }",
                [.add("a", "1")],
                """
                { /* nothing yet */
                  "a": 1
                }
                """),
            EditCase(
                "a single-line object",
                #"{ "a": 1 }"#,
                [.add("b", "2")],
                #"{ "a": 1, "b": 2 }"#),
            EditCase(
                "a single-line object without spaces",
                "{\"a\":1}",
                [.add("b", "2")],
                "{\"a\":1,\"b\":2}", isWhole: true),
            EditCase(
                "a single-line object with a trailing comma",
                #"{ "a": 1, }"#,
                [.add("b", "2")],
                #"{ "a": 1, "b": 2, }"#),
            EditCase(
                "a single-line object with a comment at its end",
                #"{ "a": 1 /* a's */ }"#,
                [.add("b", "2")],
                #"{ "a": 1 /* a's */, "b": 2 }"#),
            EditCase(
                "a single-line object with a trailing comma and a comment",
                #"{ "a": 1, /* a's */ }"#,
                [.add("b", "2")],
                """
                { "a": 1, /* a's */
                  "b": 2, }
                """),
            EditCase(
                "a member added after a comment at the end of the line",
                """
                { "a": 1 // a's
                }
                """,
                [.add("b", "2")],
                """
                { "a": 1, // a's
                  "b": 2
                }
                """),
            EditCase(
                "two-space indentation",
                """
                {
                  "a": 1
                }
                """,
                [.add("b", #"{"x": {"y": 1}}"#)],
                """
                {
                  "a": 1,
                  "b": {
                    "x": {
                      "y": 1
                    }
                  }
                }
                """),
            EditCase(
                "four-space indentation",
                """
                {
                    "a": 1 // a's
                }
                """,
                [.add("b", #"{"x": {"y": 1}}"#)],
                """
                {
                    "a": 1, // a's
                    "b": {
                        "x": {
                            "y": 1
                        }
                    }
                }
                """),
            EditCase(
                "tab indentation",
                """
                {
                \t"a": {
                \t\t"x": 1
                \t}
                }
                """,
                [.add("b", #"{"x": {"y": 1}}"#), .add("a.y", "2")],
                """
                {
                \t"a": {
                \t\t"x": 1,
                \t\t"y": 2
                \t},
                \t"b": {
                \t\t"x": {
                \t\t\t"y": 1
                \t\t}
                \t}
                }
                """),
            EditCase(
                "mixed indentation",
                """
                {
                  "a": {
                  \t"x": 1
                  }
                }
                """,
                [.add("a.y", #"{"z": {"w": 1}}"#)],
                """
                {
                  "a": {
                  \t"x": 1,
                  \t"y": {
                  \t\t"z": {
                  \t\t\t"w": 1
                  \t\t}
                  \t}
                  }
                }
                """),
            EditCase(
                "a trailing comma",
                """
                {
                  "a": 1,
                  "b": 2,
                  "c": 3,
                }
                """,
                [.add("d", "4")],
                """
                {
                  "a": 1,
                  "b": 2,
                  "c": 3,
                  "d": 4,
                }
                """),
            EditCase(
                "a member added before a comment at the end of the object",
                """
                {
                  "a": 1 // a's
                  // the end
                }
                """,
                [.add("b", "2")],
                """
                {
                  "a": 1, // a's
                  "b": 2
                  // the end
                }
                """),
            EditCase(
                "commas that start the lines",
                """
                { "a": 1
                , "b": 2
                }
                """,
                [.add("c", #"{"x": 1}"#)],
                """
                { "a": 1
                , "b": 2
                , "c": {
                    "x": 1
                  }
                }
                """),
            EditCase(
                "a space before colons",
                """
                {
                  "a" : 1
                }
                """,
                [.add("b", "2")],
                """
                {
                  "a" : 1,
                  "b" : 2
                }
                """),
            EditCase(
                "the closing bracket on the last member's line",
                """
                {
                  "a": 1 }
                """,
                [.add("b", "2")],
                """
                {
                  "a": 1,
                  "b": 2 }
                """),
            EditCase(
                "missing intermediate objects are created",
                """
                {
                  "port": 1
                }
                """,
                [.add("http", #"{"tls": {"on": true}}"#)],
                """
                {
                  "port": 1,
                  "http": {
                    "tls": {
                      "on": true
                    }
                  }
                }
                """),
            EditCase(
                "several members",
                """
                {
                  "a": 1
                }
                """,
                [.add("b", "2"), .add("c", "3")],
                """
                {
                  "a": 1,
                  "b": 2,
                  "c": 3
                }
                """),
            EditCase(
                "a key that requires escapes",
                #"{ "a": 1 }"#,
                [.add(#"/b"\"#, "2")],
                #"{ "a": 1, "b\"\\": 2 }"#),
        ])
}
