extension EditCase {
    static let removals = Group(
        "A member goes",
        [
            EditCase(
                "the first",
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
                "a middle one",
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
                "the last",
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
                "the last, with a comma behind it",
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
                "the first, with a comma behind the last",
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
                "the only one",
                """
                {
                  "a": 1
                }
                """,
                [.remove("a")],
                "{}"),
            EditCase(
                "the only one, with a comma behind it",
                #"{ "a": 1, }"#,
                [.remove("a")],
                "{}"),
            EditCase(
                "the only one, where a comment stays",
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
                "the first of one line",
                #"{ "a": 1, "b": 2, "c": 3 }"#,
                [.remove("a")],
                #"{ "b": 2, "c": 3 }"#),
            EditCase(
                "a middle one of one line",
                #"{ "a": 1, "b": 2, "c": 3 }"#,
                [.remove("b")],
                #"{ "a": 1, "c": 3 }"#),
            EditCase(
                "the last of one line",
                #"{ "a": 1, "b": 2, "c": 3 }"#,
                [.remove("c")],
                #"{ "a": 1, "b": 2 }"#),
            EditCase(
                "the last of one line without spaces",
                "{\"a\":1,\"b\":2}",
                [.remove("b")],
                "{\"a\":1}", isWhole: true),
            EditCase(
                "all",
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
                "two beside each other",
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
                "the last two",
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
                "one between blank lines",
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
                "the last, behind a blank line",
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
                "the first, before a blank line",
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
                "on the line of the bracket",
                """
                { "a": 1,
                  "b": 2 }
                """,
                [.remove("a")],
                #"{ "b": 2 }"#),
            EditCase(
                "before a bracket on its line",
                """
                { "a": 1,
                  "b": 2 }
                """,
                [.remove("b")],
                #"{ "a": 1 }"#),
            EditCase(
                "where commas begin the lines: the first",
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
                "where commas begin the lines: a middle one",
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
                "where commas begin the lines: the last",
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
                "behind an object, on the line of its bracket",
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
                "an object of many lines, on the line of the next",
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
