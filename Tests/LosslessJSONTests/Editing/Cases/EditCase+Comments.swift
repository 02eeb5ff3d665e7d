extension EditCase {
    static let comments = Group(
        "Whose comment it is",
        [
            EditCase(
                "the first goes with its own",
                """
                {
                  // the first
                  "a": 1, // a's

                  // a section

                  // the second
                  /* in two lines */
                  "b": 2, // b's
                  // the third
                  "c": 3 // c's
                  // the end
                }
                """,
                [.remove("a")],
                """
                {
                  // a section

                  // the second
                  /* in two lines */
                  "b": 2, // b's
                  // the third
                  "c": 3 // c's
                  // the end
                }
                """),
            EditCase(
                "the second goes with its own, the section stays",
                """
                {
                  // the first
                  "a": 1, // a's

                  // a section

                  // the second
                  /* in two lines */
                  "b": 2, // b's
                  // the third
                  "c": 3 // c's
                  // the end
                }
                """,
                [.remove("b")],
                """
                {
                  // the first
                  "a": 1, // a's

                  // a section

                  // the third
                  "c": 3 // c's
                  // the end
                }
                """),
            EditCase(
                "the last goes with its own, the end stays",
                """
                {
                  // the first
                  "a": 1, // a's

                  // a section

                  // the second
                  /* in two lines */
                  "b": 2, // b's
                  // the third
                  "c": 3 // c's
                  // the end
                }
                """,
                [.remove("c")],
                """
                {
                  // the first
                  "a": 1, // a's

                  // a section

                  // the second
                  /* in two lines */
                  "b": 2 // b's
                  // the end
                }
                """),
            EditCase(
                "a comment behind the opening bracket stays",
                """
                { // all of it
                  "a": 1,
                  "b": 2
                }
                """,
                [.remove("a")],
                """
                { // all of it
                  "b": 2
                }
                """),
            EditCase(
                "a comment goes on in the same column",
                """
                {
                  "a": 1, // the first
                          // and more of it
                  "b": 2
                }
                """,
                [.remove("b")],
                """
                {
                  "a": 1  // the first
                          // and more of it
                }
                """),
            EditCase(
                "and goes with its member",
                """
                {
                  "a": 1, // the first
                          // and more of it
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
                "on one line, before the comma: the one before",
                #"{ "a": 1 /* a's */, "b": 2 /* b's */ }"#,
                [.remove("a")],
                #"{ "b": 2 /* b's */ }"#),
            EditCase(
                "on one line, behind the comma: the one that follows",
                #"{ "a": 1, /* b's */ "b": 2 }"#,
                [.remove("a")],
                #"{ /* b's */ "b": 2 }"#),
            EditCase(
                "and goes with it",
                #"{ "a": 1, /* b's */ "b": 2 }"#,
                [.remove("b")],
                #"{ "a": 1 }"#),
            EditCase(
                "within the member",
                """
                {
                  "a" /* key */ : /* value */ 1,
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
                "behind the comma at the end of the line",
                """
                {
                  "a": 1, /* a's */
                  "b": 2
                }
                """,
                [.remove("b")],
                """
                {
                  "a": 1 /* a's */
                }
                """),
            EditCase(
                "a block of many lines above",
                """
                {
                  "a": 1,
                  /*
                   * b's
                   */
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
        ])
}
