extension EditCase {
    static let oddLayouts = Group(
        "Odd layouts",
        [
            EditCase(
                "a comment before the first of one line goes with it",
                #"{ /* a's */ "a": 1, "b": 2 }"#,
                [.remove("a")],
                #"{ "b": 2 }"#),
            EditCase(
                "and stays with it",
                #"{ /* a's */ "a": 1, "b": 2 }"#,
                [.remove("b")],
                #"{ /* a's */ "a": 1 }"#),
            EditCase(
                "a comma on its own line, the first goes",
                """
                {
                  "a": 1 // a's
                  , // odd
                  "b": 2
                }
                """,
                [.remove("a")],
                """
                {
                  // odd
                  "b": 2
                }
                """),
            EditCase(
                "a comma on its own line, the last goes",
                """
                {
                  "a": 1 // a's
                  , // odd
                  "b": 2
                }
                """,
                [.remove("b")],
                """
                {
                  "a": 1 // a's
                  // odd
                }
                """),
            EditCase(
                "a comma on its own line, another comes",
                """
                {
                  "a": 1 // a's
                  , // odd
                  "b": 2
                }
                """,
                [.add("c", "3")],
                """
                {
                  "a": 1 // a's
                  , // odd
                  "b": 2,
                  "c": 3
                }
                """),
            EditCase(
                "a comma alone on its line, an element comes",
                """
                [
                  1
                  ,
                  2
                ]
                """,
                [.add("1", "1.5")],
                """
                [
                  1
                  ,
                  1.5,
                  2
                ]
                """),
            EditCase(
                "a comma alone on its line, a middle one goes",
                """
                [
                  1
                  ,
                  2
                  ,
                  3
                ]
                """,
                [.remove("1")],
                """
                [
                  1
                  ,
                  3
                ]
                """),
            EditCase(
                "a comma alone on its line, the first goes",
                """
                [
                  1
                  ,
                  2
                ]
                """,
                [.remove("0")],
                """
                [
                  2
                ]
                """),
            EditCase(
                "a comma alone on its line, the last goes",
                """
                [
                  1
                  ,
                  2
                ]
                """,
                [.remove("1")],
                """
                [
                  1
                ]
                """),
            EditCase(
                "comments that are nobody's stay where a member goes",
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
                "and where the last one goes",
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
                "an element comes below the header",
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
                "an element comes before the comment of the next",
                "[ /* one's */ 1, 2 ]",
                [.add("0", "0")],
                "[ 0, /* one's */ 1, 2 ]"),
            EditCase(
                "an element comes before the lines about the next",
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
                "an element comes before the comment at the end",
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
                "a comment before the comma at the end",
                #"{ "a": 1 /* a */ , }"#,
                [.add("b", "2")],
                #"{ "a": 1 /* a */ , "b": 2, }"#),
            EditCase(
                "which stays when the last one goes",
                #"{ "a": 1 /* a */ , "b": 2 /* b */ , }"#,
                [.remove("b")],
                #"{ "a": 1 /* a */ , }"#),
            EditCase(
                "spaces around commas, the first goes",
                "[1 , 2 , 3]",
                [.remove("0")],
                "[2 , 3]"),
            EditCase(
                "spaces around commas, a middle one goes",
                "[1 , 2 , 3]",
                [.remove("1")],
                "[1 , 3]"),
            EditCase(
                "spaces around commas, the last goes",
                "[1 , 2 , 3]",
                [.remove("2")],
                "[1 , 2]"),
            EditCase(
                "spaces within brackets",
                "[ 1, 2 ]",
                [.remove("0"), .add("1", "3")],
                "[ 2, 3 ]"),
            EditCase(
                "spaces within brackets, emptied and filled",
                "[ 1, 2 ]",
                [.remove("0"), .remove("0"), .add("0", "3")],
                "[3]"),
            EditCase(
                "carriage returns alone",
                "{\r  \"a\": 1,\r  \"b\": 2\r}\r",
                [.remove("a"), .add("c", "3")],
                "{\r  \"b\": 2,\r  \"c\": 3\r}\r", isWhole: true),
            EditCase(
                "a comment of two lines between two items stays with the second",
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
                "and goes with it",
                """
                { "a": 1, /* x
                 y */ "b": 2 }
                """,
                [.remove("b")],
                #"{ "a": 1 }"#),
            EditCase(
                "the whole value is a number",
                "1 // one",
                [.set("", "2")],
                "2 // one"),
            EditCase(
                "behind a comment on its line",
                "/* c */ 1",
                [.set("", #"{"a":1}"#)],
                """
                /* c */ {
                  "a": 1
                }
                """),
            EditCase(
                "all go with their comments",
                "[1, /* two */ 2, /* three */ 3 /* x */ ]",
                [.remove("0"), .remove("0"), .remove("0")],
                "[]"),
            EditCase(
                "comments in columns, the last goes",
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
                "comments in columns, another comes",
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
                "edits at many places",
                """
                {
                  "x": { "a": 1, "b": 2 },
                  "y": [1, 2]
                }
                """,
                [.remove("x.a"), .add("x.c", "3"), .remove("y.0"), .add("z", "0")],
                """
                {
                  "x": { "b": 2, "c": 3 },
                  "y": [2],
                  "z": 0
                }
                """),
            EditCase(
                "all go, and comments stay",
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
                "between comments",
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
                "an empty array on one line",
                """
                {
                  "a": { "l": [] }
                }
                """,
                [.add("a.l.0", #"{"x":1}"#)],
                """
                {
                  "a": { "l": [{ "x": 1 }] }
                }
                """),
            EditCase(
                "into what was just added",
                """
                {
                \t"a": {}
                }
                """,
                [.add("a.b", "{}"), .add("a.b.c", "1")],
                """
                {
                \t"a": {
                \t\t"b": {
                \t\t\t"c": 1
                \t\t}
                \t}
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
                "spaces behind commas, none behind colons",
                #"{"a":1, "b":2}"#,
                [.add("c", #"{"x": [1, 2]}"#)],
                #"{"a":1, "b":2, "c":{"x":[1, 2]}}"#),
            EditCase(
                "spaces behind colons, none behind commas",
                #"{"a": 1,"b": 2}"#,
                [.add("c", "3")],
                #"{"a": 1,"b": 2,"c": 3}"#),
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
                "a comment goes on below, behind letters of two bytes",
                "{\n  \"\u{E9}\": \"\u{E9}\", // a1\n            // a2\n  \"b\": 1\n}",
                [.remove("\u{E9}")],
                """
                {
                  "b": 1
                }
                """),
            EditCase(
                "a comma on the last line of its own",
                """
                {
                  "a": 1 // one
                  ,
                }
                """,
                [.add("b", "2")],
                """
                {
                  "a": 1 // one
                  ,
                  "b": 2,
                }
                """),
        ])
}
