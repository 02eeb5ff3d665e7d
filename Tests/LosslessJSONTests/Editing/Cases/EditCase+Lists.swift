extension EditCase {
    static let lists = Group(
        "Lists that are given anew",
        [
            EditCase(
                "elements that went take their comments along",
                """
                [
                  "a", // A
                  "b", // B
                  "c", // C
                  "d" // D
                ]
                """,
                [.set("", #"["b", "d"]"#)],
                """
                [
                  "b", // B
                  "d" // D
                ]
                """),
            EditCase(
                "elements that came stand between the others",
                """
                [
                  "b", // B
                  "d" // D
                ]
                """,
                [.set("", #"["a", "b", "c", "d", "e"]"#)],
                """
                [
                  "a",
                  "b", // B
                  "c",
                  "d", // D
                  "e"
                ]
                """),
            EditCase(
                "of objects, one goes",
                """
                [
                  // first
                  { "id": 1 },
                  // second
                  { "id": 2 },
                  // third
                  { "id": 3 }
                ]
                """,
                [.set("", #"[{"id": 1}, {"id": 3}]"#)],
                """
                [
                  // first
                  { "id": 1 },
                  // third
                  { "id": 3 }
                ]
                """),
        ])
}
