extension EditCase {
    static let oddComments = Group(
        "Comments in unusual locations",
        [
            EditCase(
                "single line: a comment before the first member is removed with it",
                #"{ /* a's */ "a": 1, "b": 2 }"#,
                [.remove("a")],
                #"{ "b": 2 }"#),
            EditCase(
                "single line: a comment before the first member stays with it",
                #"{ /* a's */ "a": 1, "b": 2 }"#,
                [.remove("b")],
                #"{ /* a's */ "a": 1 }"#),
            EditCase(
                "unattached comments stay when a member is removed",
                """
                {
                  "a": 1,

                  // section one

                  "b": 2,

                  // section two

                  "c": 3
                }
                """,
                [.remove("b")],
                """
                {
                  "a": 1,

                  // section one

                  // section two

                  "c": 3
                }
                """),
            EditCase(
                "unattached comments stay when the last member is removed",
                """
                {
                  "a": 1,

                  // section one

                  "b": 2
                }
                """,
                [.remove("b")],
                """
                {
                  "a": 1

                  // section one
                }
                """),
            EditCase(
                "an element inserted below the header comment",
                """
                [ // header
                  // one's
                  1,
                  2
                ]
                """,
                [.add("0", "0")],
                """
                [ // header
                  0,
                  // one's
                  1,
                  2
                ]
                """),
            EditCase(
                "an element inserted before the comment of the next one",
                "[ /* one's */ 1, 2 ]",
                [.add("0", "0")],
                "[ 0, /* one's */ 1, 2 ]"),
            EditCase(
                "an element inserted before the comment lines of the next one",
                """
                [
                  1, // one

                  // two's
                  2
                ]
                """,
                [.add("1", "1.5")],
                """
                [
                  1, // one
                  1.5,

                  // two's
                  2
                ]
                """),
            EditCase(
                "an element inserted before the final comment",
                """
                [
                  1,
                  2, // two
                  // end
                ]
                """,
                [.add("2", "3"), .remove("0")],
                """
                [
                  2, // two
                  3,
                  // end
                ]
                """),
            EditCase(
                "a two-line comment between two items stays with the second",
                """
                { "a": 1, /* x
                 y */ "b": 2 }
                """,
                [.remove("a")],
                """
                { /* x
                 y */ "b": 2 }
                """),
            EditCase(
                "a two-line comment between two items is removed with the second",
                """
                { "a": 1, /* x
                 y */ "b": 2 }
                """,
                [.remove("b")],
                #"{ "a": 1 }"#),
            EditCase(
                "all elements are removed with their comments",
                "[1, /* two */ 2, /* three */ 3 /* x */ ]",
                [.remove("0"), .remove("0"), .remove("0")],
                "[]"),
            EditCase(
                "aligned comments: remove the last item",
                """
                {
                  "a": 1,   // first
                  "bb": 22, // second
                  "c": 3    // third
                }
                """,
                [.remove("c")],
                """
                {
                  "a": 1,   // first
                  "bb": 22 // second
                }
                """),
            EditCase(
                "aligned comments: add an item",
                """
                {
                  "a": 1,   // first
                  "bb": 22, // second
                  "c": 3    // third
                }
                """,
                [.add("d", "4")],
                """
                {
                  "a": 1,   // first
                  "bb": 22, // second
                  "c": 3,   // third
                  "d": 4
                }
                """),
            EditCase(
                "all items are removed and unattached comments stay",
                """
                {
                  // one

                  "a": 1,

                  // two

                  "b": 2

                  // three
                }
                """,
                [.remove("a"), .remove("b")],
                """
                {
                  // one

                  // two

                  // three
                }
                """),
            EditCase(
                "members added between comments",
                """
                { // top
                  // end
                }
                """,
                [.add("a", "1"), .add("b", "2")],
                """
                { // top
                  "a": 1,
                  "b": 2
                  // end
                }
                """),
            EditCase(
                "a comment before the colon",
                """
                {
                  "a" /* k */: 1
                }
                """,
                [.add("b", "2")],
                """
                {
                  "a" /* k */: 1,
                  "b": 2
                }
                """),
            EditCase(
                "a comment before the value",
                """
                {
                  "a": /* one */1
                }
                """,
                [.add("b", "2")],
                """
                {
                  "a": /* one */1,
                  "b": 2
                }
                """),
            EditCase(
                "a trailing comment continues after two-byte letters",
                "{\n  \"\u{E9}\": \"\u{E9}\", // a1\n            // a2\n  \"b\": 1\n}",
                [.remove("\u{E9}")],
                """
                {
                  "b": 1
                }
                """),
        ])
}
