extension EditCase {
    static let oddLayouts = Group(
        "Unusual layouts",
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
                "a comma at the start of a line: remove the first member",
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
                "a comma at the start of a line: remove the last member",
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
                "a comma at the start of a line: add a member",
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
                "a comma alone on its line: insert an element",
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
                "a comma alone on its line: remove a middle element",
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
                "a comma alone on its line: remove the first element",
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
                "a comma alone on its line: remove the last element",
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
                "a comment before the trailing comma",
                #"{ "a": 1 /* a */ , }"#,
                [.add("b", "2")],
                #"{ "a": 1 /* a */ , "b": 2, }"#),
            EditCase(
                "a comment before the trailing comma stays when the last element is removed",
                #"{ "a": 1 /* a */ , "b": 2 /* b */ , }"#,
                [.remove("b")],
                #"{ "a": 1 /* a */ , }"#),
            EditCase(
                "spaces around commas: remove the first element",
                "[1 , 2 , 3]",
                [.remove("0")],
                "[2 , 3]"),
            EditCase(
                "spaces around commas: remove a middle element",
                "[1 , 2 , 3]",
                [.remove("1")],
                "[1 , 3]"),
            EditCase(
                "spaces around commas: remove the last element",
                "[1 , 2 , 3]",
                [.remove("2")],
                "[1 , 2]"),
            EditCase(
                "spaces inside brackets",
                "[ 1, 2 ]",
                [.remove("0"), .add("1", "3")],
                "[ 2, 3 ]"),
            EditCase(
                "spaces inside brackets: remove all elements and add one",
                "[ 1, 2 ]",
                [.remove("0"), .remove("0"), .add("0", "3")],
                "[3]"),
            EditCase(
                "CR line ends",
                "{\r  \"a\": 1,\r  \"b\": 2\r}\r",
                [.remove("a"), .add("c", "3")],
                "{\r  \"b\": 2,\r  \"c\": 3\r}\r", isWhole: true),
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
                "the root is a number",
                "1 // one",
                [.set("", "2")],
                "2 // one"),
            EditCase(
                "a root object after a comment on the same line",
                "/* c */ 1",
                [.set("", #"{"a":1}"#)],
                """
                /* c */ {
                  "a": 1
                }
                """),
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
                "edits in many locations",
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
                "a member added to an object that was just added",
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
                "spaces after commas, none after colons",
                #"{"a":1, "b":2}"#,
                [.add("c", #"{"x": [1, 2]}"#)],
                #"{"a":1, "b":2, "c":{"x":[1, 2]}}"#),
            EditCase(
                "spaces after colons, none after commas",
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
                "a trailing comment continues after two-byte letters",
                "{\n  \"\u{E9}\": \"\u{E9}\", // a1\n            // a2\n  \"b\": 1\n}",
                [.remove("\u{E9}")],
                """
                {
                  "b": 1
                }
                """),
            EditCase(
                "a trailing comma on a line of its own",
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
