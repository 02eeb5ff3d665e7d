extension EditCase {
    static let oddLayouts = Group(
        "Unusual layouts",
        [
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
