extension EditCase {
    static let replacedArrays = Group(
        "Replaced arrays",
        [
            EditCase(
                "removed elements take their comments along",
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
                "inserted elements are placed between the existing ones",
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
                "one of several objects is removed",
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
