extension EditCase {
    static let keys = Group(
        "Keys",
        [
            EditCase(
                "written with escapes",
                #"{ "\u0061": 1, "b": 2 }"#,
                [.set("a", "3")],
                #"{ "\u0061": 3, "b": 2 }"#),
            EditCase(
                "composed and decomposed are two",
                "{ \"\u{FC}\": 1, \"u\u{308}\": 2 }",
                [.set("u\u{308}", "3")],
                "{ \"\u{FC}\": 1, \"u\u{308}\": 3 }"),
            EditCase(
                "twice: the last one counts",
                #"{ "a": 1, "b": 2, "a": 3 }"#,
                [.set("a", "4")],
                #"{ "a": 1, "b": 2, "a": 4 }"#),
            EditCase(
                "twice: all of them go",
                """
                {
                  "a": 1, // once
                  "b": 2,
                  "a": 3 // twice
                }
                """,
                [.remove("a")],
                """
                {
                  "b": 2
                }
                """),
            EditCase(
                "twice, with what they hold",
                #"{ "a": { "x": 1 }, "a": { "x": 2, "y": 3 } }"#,
                [.set("a.x", "4"), .remove("a.y")],
                #"{ "a": { "x": 1 }, "a": { "x": 4 } }"#),
        ])
}
