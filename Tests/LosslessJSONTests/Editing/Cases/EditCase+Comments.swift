extension EditCase {
    static let comments = Group(
        "Comments",
        [
            EditCase(
                "remove the first member and its comments",
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
                "remove the second member; the section comment stays",
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
                "remove the last member; the final comment stays",
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
                "a comment after the opening bracket stays",
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
                "a trailing comment continues in the same column and stays",
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
                "a trailing comment that continues in the same column is removed",
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
                "single line: a comment before the comma belongs to the previous member",
                #"{ "a": 1 /* a's */, "b": 2 /* b's */ }"#,
                [.remove("a")],
                #"{ "b": 2 /* b's */ }"#),
            EditCase(
                "single line: a comment after the comma belongs to the next member",
                #"{ "a": 1, /* b's */ "b": 2 }"#,
                [.remove("a")],
                #"{ /* b's */ "b": 2 }"#),
            EditCase(
                "single line: a comment is removed with its member",
                #"{ "a": 1, /* b's */ "b": 2 }"#,
                [.remove("b")],
                #"{ "a": 1 }"#),
            EditCase(
                "a comment inside the member",
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
                "a comment after the comma at the end of the line",
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
                "a block of several lines above the member",
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
