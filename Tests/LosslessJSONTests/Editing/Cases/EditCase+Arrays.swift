extension EditCase {
    static let arrays = Group(
        "Arrays",
        [
            EditCase(
                "an element comes at the beginning",
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
                "an element comes in the middle",
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
                "an element comes at the end",
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
                "the first goes",
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
                "a middle one goes",
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
                "the last goes",
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
                "on one line, at the beginning",
                #"{ "list": [1, 2, 3] }"#,
                [.add("list.0", "0")],
                #"{ "list": [0, 1, 2, 3] }"#),
            EditCase(
                "on one line, in the middle",
                #"{ "list": [1, 2, 3] }"#,
                [.add("list.1", "1.5")],
                #"{ "list": [1, 1.5, 2, 3] }"#),
            EditCase(
                "on one line, at the end",
                #"{ "list": [1, 2, 3] }"#,
                [.add("list.3", "4")],
                #"{ "list": [1, 2, 3, 4] }"#),
            EditCase(
                "on one line, the first goes",
                #"{ "list": [1, 2, 3] }"#,
                [.remove("list.0")],
                #"{ "list": [2, 3] }"#),
            EditCase(
                "on one line, the last goes",
                #"{ "list": [1, 2, 3] }"#,
                [.remove("list.2")],
                #"{ "list": [1, 2] }"#),
            EditCase(
                "all go",
                #"{ "list": [1, 2, 3] }"#,
                [.remove("list.0"), .remove("list.0"), .remove("list.0")],
                #"{ "list": [] }"#),
            EditCase(
                "to an empty one",
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
                "objects to an empty one",
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
                "an element moves to the end",
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
                "an element moves to the beginning",
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
                "between rows of a table",
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
                "where commas begin the lines",
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
                "another list, by its parts",
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
                "an element of an element",
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
