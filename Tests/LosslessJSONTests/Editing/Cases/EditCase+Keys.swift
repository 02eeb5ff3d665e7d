extension EditCase {
    static let keys = Group(
        "Keys",
        [
            EditCase(
                "a key with escapes",
                #"{ "\u0061": 1, "b": 2 }"#,
                [.set("a", "3")],
                #"{ "\u0061": 3, "b": 2 }"#),
            EditCase(
                "composed and decomposed keys are different",
                "{ \"\u{FC}\": 1, \"u\u{308}\": 2 }",
                [.set("u\u{308}", "3")],
                "{ \"\u{FC}\": 1, \"u\u{308}\": 3 }"),
            EditCase(
                "a duplicate key: the last one is changed",
                #"{ "a": 1, "b": 2, "a": 3 }"#,
                [.set("a", "4")],
                #"{ "a": 1, "b": 2, "a": 4 }"#),
            EditCase(
                "a duplicate key: all are removed",
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
                "a duplicate key: nested changes",
                #"{ "a": { "x": 1 }, "a": { "x": 2, "y": 3 } }"#,
                [.set("a.x", "4"), .remove("a.y")],
                #"{ "a": { "x": 1 }, "a": { "x": 4 } }"#),
        ])
}
