extension EditCase {
    static let insertions = Group(
        "A member comes",
        [
            EditCase(
                "to an empty object",
                "{}",
                [.add("a", "1")],
                """
                {
                  "a": 1
                }
                """),
            EditCase(
                "to an empty object with a space",
                "{ }",
                [.add("a", "1")],
                """
                {
                  "a": 1
                }
                """),
            EditCase(
                "to an empty object on two lines",
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
                "to an empty object inside another",
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
                "to an empty object on one line",
                #"{ "http": {}, "port": 1 }"#,
                [.add("http.tls", "true")],
                #"{ "http": { "tls": true }, "port": 1 }"#),
            EditCase(
                "to an empty object on one line without spaces",
                "{\"http\":{},\"port\":1}",
                [.add("http.tls", "true"), .add("http.x", "[]")],
                "{\"http\":{\"tls\":true,\"x\":[]},\"port\":1}", isWhole: true),
            EditCase(
                "to an object with nothing but a comment",
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
                "to an object with nothing but a comment, on one line",
                "{ /* nothing yet */ }",
                [.add("a", "1")],
                """
                { /* nothing yet */
                  "a": 1
                }
                """),
            EditCase(
                "to one line",
                #"{ "a": 1 }"#,
                [.add("b", "2")],
                #"{ "a": 1, "b": 2 }"#),
            EditCase(
                "to one line without spaces",
                "{\"a\":1}",
                [.add("b", "2")],
                "{\"a\":1,\"b\":2}", isWhole: true),
            EditCase(
                "to one line with a comma at its end",
                #"{ "a": 1, }"#,
                [.add("b", "2")],
                #"{ "a": 1, "b": 2, }"#),
            EditCase(
                "to one line with a comment at its end",
                #"{ "a": 1 /* a's */ }"#,
                [.add("b", "2")],
                #"{ "a": 1 /* a's */, "b": 2 }"#),
            EditCase(
                "to one line with a comma and a comment",
                #"{ "a": 1, /* a's */ }"#,
                [.add("b", "2")],
                """
                { "a": 1, /* a's */
                  "b": 2, }
                """),
            EditCase(
                "behind a comment to the end of the line",
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
                "with two spaces",
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
                "with four spaces",
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
                "with tabs",
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
                "with a mix",
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
                "with a comma at the end",
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
                "before what stands at the end",
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
                "with commas that begin the lines",
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
                "with a space before colons",
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
                "where the bracket closes on the last line",
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
                "with its own objects on the way",
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
                "several",
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
                "with a key that needs escapes",
                #"{ "a": 1 }"#,
                [.add(#"/b"\"#, "2")],
                #"{ "a": 1, "b\"\\": 2 }"#),
        ])
}
