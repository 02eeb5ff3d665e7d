extension EditCase {
    static let arrays = Group(
        "Arrays",
        [
            EditCase(
                "insert an element at the start",
                """
                [
                  1, // one
                  2, // two
                  3 // three
                ]
                """,
                [.add("0", "0")],
                """
                [
                  0,
                  1, // one
                  2, // two
                  3 // three
                ]
                """),
            EditCase(
                "insert an element in the middle",
                """
                [
                  1, // one
                  2, // two
                  3 // three
                ]
                """,
                [.add("1", "1.5")],
                """
                [
                  1, // one
                  1.5,
                  2, // two
                  3 // three
                ]
                """),
            EditCase(
                "append an element",
                """
                [
                  1, // one
                  2, // two
                  3 // three
                ]
                """,
                [.add("3", "4")],
                """
                [
                  1, // one
                  2, // two
                  3, // three
                  4
                ]
                """),
            EditCase(
                "remove the first element",
                """
                [
                  1, // one
                  2, // two
                  3 // three
                ]
                """,
                [.remove("0")],
                """
                [
                  2, // two
                  3 // three
                ]
                """),
            EditCase(
                "remove a middle element",
                """
                [
                  1, // one
                  2, // two
                  3 // three
                ]
                """,
                [.remove("1")],
                """
                [
                  1, // one
                  3 // three
                ]
                """),
            EditCase(
                "remove the last element",
                """
                [
                  1, // one
                  2, // two
                  3 // three
                ]
                """,
                [.remove("2")],
                """
                [
                  1, // one
                  2 // two
                ]
                """),
            EditCase(
                "single line: insert at the start",
                #"{ "list": [1, 2, 3] }"#,
                [.add("list.0", "0")],
                #"{ "list": [0, 1, 2, 3] }"#),
            EditCase(
                "single line: insert in the middle",
                #"{ "list": [1, 2, 3] }"#,
                [.add("list.1", "1.5")],
                #"{ "list": [1, 1.5, 2, 3] }"#),
            EditCase(
                "single line: append",
                #"{ "list": [1, 2, 3] }"#,
                [.add("list.3", "4")],
                #"{ "list": [1, 2, 3, 4] }"#),
            EditCase(
                "single line: remove the first element",
                #"{ "list": [1, 2, 3] }"#,
                [.remove("list.0")],
                #"{ "list": [2, 3] }"#),
            EditCase(
                "single line: remove the last element",
                #"{ "list": [1, 2, 3] }"#,
                [.remove("list.2")],
                #"{ "list": [1, 2] }"#),
            EditCase(
                "remove all elements",
                #"{ "list": [1, 2, 3] }"#,
                [.remove("list.0"), .remove("list.0"), .remove("list.0")],
                #"{ "list": [] }"#),
            EditCase(
                "append to an empty array",
                """
                {
                  "list": [] // none
                }
                """,
                [.add("list.0", "1"), .add("list.1", "2")],
                """
                {
                  "list": [1, 2] // none
                }
                """),
            EditCase(
                "append objects to an empty array",
                """
                {
                  "list": []
                }
                """,
                [.add("list.0", #"{"x": 1}"#)],
                """
                {
                  "list": [
                    {
                      "x": 1
                    }
                  ]
                }
                """),
            EditCase(
                "move an element to the end",
                """
                [
                  1, // one
                  2, // two
                  3 // three
                ]
                """,
                [.remove("0"), .add("2", "1")],
                """
                [
                  2, // two
                  3, // three
                  1
                ]
                """),
            EditCase(
                "move an element to the start",
                """
                [
                  1, // one
                  2, // two
                  3 // three
                ]
                """,
                [.remove("2"), .add("0", "3")],
                """
                [
                  3,
                  1, // one
                  2 // two
                ]
                """),
            EditCase(
                "insert between the rows of a table",
                """
                [
                  1, 2, 3,
                  4, 5, 6
                ]
                """,
                [.add("3", "3.5"), .add("7", "7")],
                """
                [
                  1, 2, 3,
                  3.5,
                  4, 5, 6, 7
                ]
                """),
            EditCase(
                "insert where commas start the lines",
                """
                [ 1
                , 2 // two
                , 3
                ]
                """,
                [.add("1", "1.5"), .remove("2")],
                """
                [ 1
                , 1.5
                , 3
                ]
                """),
            EditCase(
                "replace an array by a similar one",
                """
                {
                  "list": [
                    "a", // first
                    "b", // second
                    "c" // third
                  ]
                }
                """,
                [.set("list", #"["a", "x", "y", "c"]"#)],
                """
                {
                  "list": [
                    "a", // first
                    "x", // second
                    "y",
                    "c" // third
                  ]
                }
                """),
            EditCase(
                "change an element of an element",
                """
                [
                  { "x": 1 }, // one
                  { "x": 2 } // two
                ]
                """,
                [.set("1.x", "3"), .add("0.y", "4")],
                """
                [
                  { "x": 1, "y": 4 }, // one
                  { "x": 3 } // two
                ]
                """),
        ])
}
