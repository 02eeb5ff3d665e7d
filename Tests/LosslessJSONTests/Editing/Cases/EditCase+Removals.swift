extension EditCase {
    static let removals = Group(
        "Removed members",
        [
            EditCase(
                "the first member",
                """
                {
                  "a": 1,
                  "b": 2,
                  "c": 3
                }
                """,
                [.remove("a")],
                """
                {
                  "b": 2,
                  "c": 3
                }
                """),
            EditCase(
                "a middle member",
                """
                {
                  "a": 1,
                  "b": 2,
                  "c": 3
                }
                """,
                [.remove("b")],
                """
                {
                  "a": 1,
                  "c": 3
                }
                """),
            EditCase(
                "the last member",
                """
                {
                  "a": 1,
                  "b": 2,
                  "c": 3
                }
                """,
                [.remove("c")],
                """
                {
                  "a": 1,
                  "b": 2
                }
                """),
            EditCase(
                "the last member, with a trailing comma",
                """
                {
                  "a": 1,
                  "b": 2,
                  "c": 3,
                }
                """,
                [.remove("c")],
                """
                {
                  "a": 1,
                  "b": 2,
                }
                """),
            EditCase(
                "the first member, with a trailing comma after the last",
                """
                {
                  "a": 1,
                  "b": 2,
                  "c": 3,
                }
                """,
                [.remove("a")],
                """
                {
                  "b": 2,
                  "c": 3,
                }
                """),
            EditCase(
                "the only member",
                """
                {
                  "a": 1
                }
                """,
                [.remove("a")],
                "{}"),
            EditCase(
                "the only member, with a trailing comma",
                #"{ "a": 1, }"#,
                [.remove("a")],
                "{}"),
            EditCase(
                "the only member; an unattached comment stays",
                """
                {
                  // nobody's

                  // a's
                  "a": 1 // a's too
                }
                """,
                [.remove("a")],
                """
                {
                  // nobody's
                }
                """),
            EditCase(
                "single line: the first member",
                #"{ "a": 1, "b": 2, "c": 3 }"#,
                [.remove("a")],
                #"{ "b": 2, "c": 3 }"#),
            EditCase(
                "single line: a middle member",
                #"{ "a": 1, "b": 2, "c": 3 }"#,
                [.remove("b")],
                #"{ "a": 1, "c": 3 }"#),
            EditCase(
                "single line: the last member",
                #"{ "a": 1, "b": 2, "c": 3 }"#,
                [.remove("c")],
                #"{ "a": 1, "b": 2 }"#),
            EditCase(
                "single line without spaces: the last member",
                "{\"a\":1,\"b\":2}",
                [.remove("b")],
                "{\"a\":1}", isWhole: true),
            EditCase(
                "all members",
                """
                {
                  "a": 1,
                  "b": 2,
                  "c": 3
                }
                """,
                [.remove("a"), .remove("b"), .remove("c")],
                "{}"),
            EditCase(
                "two adjacent members",
                """
                {
                  "a": 1,
                  "b": 2,
                  "c": 3
                }
                """,
                [.remove("a"), .remove("b")],
                """
                {
                  "c": 3
                }
                """),
            EditCase(
                "the last two members",
                """
                {
                  "a": 1,
                  "b": 2,
                  "c": 3
                }
                """,
                [.remove("c"), .remove("b")],
                """
                {
                  "a": 1
                }
                """),
            EditCase(
                "a member between blank lines",
                """
                {
                  "a": 1,

                  "b": 2,

                  "c": 3
                }
                """,
                [.remove("b")],
                """
                {
                  "a": 1,

                  "c": 3
                }
                """),
            EditCase(
                "the last member, after a blank line",
                """
                {
                  "a": 1,

                  "b": 2
                }
                """,
                [.remove("b")],
                """
                {
                  "a": 1
                }
                """),
            EditCase(
                "the first member, before a blank line",
                """
                {
                  "a": 1,

                  "b": 2
                }
                """,
                [.remove("a")],
                """
                {
                  "b": 2
                }
                """),
            EditCase(
                "a member on the opening bracket's line",
                """
                { "a": 1,
                  "b": 2 }
                """,
                [.remove("a")],
                #"{ "b": 2 }"#),
            EditCase(
                "a member on the closing bracket's line",
                """
                { "a": 1,
                  "b": 2 }
                """,
                [.remove("b")],
                #"{ "a": 1 }"#),
            EditCase(
                "commas that start the lines: the first member",
                """
                { "a": 1
                , "b": 2
                , "c": 3
                }
                """,
                [.remove("a")],
                """
                { "b": 2
                , "c": 3
                }
                """),
            EditCase(
                "commas that start the lines: a middle member",
                """
                { "a": 1
                , "b": 2 // b's
                , "c": 3
                }
                """,
                [.remove("b")],
                """
                { "a": 1
                , "c": 3
                }
                """),
            EditCase(
                "commas that start the lines: the last member",
                """
                { "a": 1
                , "b": 2
                , "c": 3
                }
                """,
                [.remove("c")],
                """
                { "a": 1
                , "b": 2
                }
                """),
            EditCase(
                "a member after an object, on the line of its bracket",
                """
                {
                  "a": {
                    "x": 1
                  }, "b": 2,
                  "c": 3
                }
                """,
                [.remove("b")],
                """
                {
                  "a": {
                    "x": 1
                  },
                  "c": 3
                }
                """),
            EditCase(
                "a multi-line object, on the line of the next member",
                """
                {
                  "a": {
                    "x": 1
                  }, "b": 2
                }
                """,
                [.remove("a")],
                """
                {
                  "b": 2
                }
                """),
        ])
}
