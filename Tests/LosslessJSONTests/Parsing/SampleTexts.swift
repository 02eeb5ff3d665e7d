/// Short texts with every kind of token, from which tests derive invalid texts.
enum SampleTexts {
    static let json = Array(
        """
        {"a": [1, -0.5e+10, true, false, null], "ü€😀": "x\\n\\u00fc\\ud83d\\ude00\\\\ \u{7F}", "long enough to be a slice": {}, "": [[]]}

        """.utf8)

    static let jsonc = Array(
        """
        \u{FEFF}// ü€😀 "
        {"a": [1, /* 😀 ] */ {}, ], /**/ "key": "/*", // last
        }
        """.utf8)
}
