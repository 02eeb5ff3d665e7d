extension EditCase {
    static let lineEnds = Group(
        "Line ends and byte-order marks",
        [
            EditCase(
                "CR LF line ends",
                "{\r\n  \"a\": 1, // a's\r\n  \"b\": 2\r\n}\r\n",
                [.remove("a"), .add("c", #"{"x": 1}"#)],
                "{\r\n  \"b\": 2,\r\n  \"c\": {\r\n    \"x\": 1\r\n  }\r\n}\r\n", isWhole: true),
            EditCase(
                "a byte-order mark",
                "\u{FEFF}{ \"a\": 1 }\n",
                [.set("a", "2"), .add("b", "3")],
                "\u{FEFF}{ \"a\": 2, \"b\": 3 }\n", isWhole: true),
            EditCase(
                "no line end after the last line",
                "{\n  \"a\": 1\n}",
                [.add("b", "2")],
                "{\n  \"a\": 1,\n  \"b\": 2\n}", isWhole: true),
        ])
}
