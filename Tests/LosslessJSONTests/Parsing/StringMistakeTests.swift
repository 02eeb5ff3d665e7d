import LosslessJSON
import Testing

/// Strings that do not end, or hold what no string can hold.
@Suite struct StringMistakeTests {
    @Test(
        "a wrong character in a string is reported with the way to write it",
        arguments: [
            Mistake(
                #""abc"#, .unexpectedEnd, 4, "1:5", "the closing quote of a string", "the end of the text",
                "the string that begins at 1:1 is not closed"),
            Mistake(
                #"["abc"#, .unexpectedEnd, 5, "1:6", "the closing quote of a string", "the end of the text",
                "the string that begins at 1:2 is not closed"),
            Mistake(
                #"{"a"#, .unexpectedEnd, 3, "1:4", "the closing quote of a string", "the end of the text",
                "the string that begins at 1:2 is not closed"),
            Mistake(
                #"{"a": "b\#n}"#, .string, 8, "1:9", "the closing quote of a string", "a line end",
                #"a string ends on its line; a line break in it is written \n"#),
            Mistake(
                #""a\#r\#n""#, .string, 2, "1:3", "the closing quote of a string", "a line end",
                #"a string ends on its line; a line break in it is written \n"#),
            Mistake(
                #""a\#tb""#, .string, 2, "1:3", "the closing quote of a string", "a tab",
                #"a tab in a string is written \t"#),
            Mistake(
                #""\#u{0}""#, .string, 1, "1:2", "the closing quote of a string", "a control character, U+0000",
                #"a control character in a string is written \u0000"#),
            Mistake(
                #""\#u{1F}""#, .string, 1, "1:2", "the closing quote of a string", "a control character, U+001F",
                #"a control character in a string is written \u001F"#),
            Mistake(
                #""C:\Users""#, .string, 4, "1:5", #"one of " \ / b f n r t u after the backslash"#, #""U""#,
                #"a backslash itself is written \\"#),
            Mistake(
                #""\'""#, .string, 2, "1:3", #"one of " \ / b f n r t u after the backslash"#, #""'""#,
                "a single quote needs no backslash"),
            Mistake(
                #""\x41""#, .string, 2, "1:3", #"one of " \ / b f n r t u after the backslash"#, #""x""#,
                #"a backslash itself is written \\"#),
            Mistake(
                #""\"#, .unexpectedEnd, 2, "1:3", #"one of " \ / b f n r t u after the backslash"#,
                "the end of the text", "the string that begins at 1:1 is not closed"),
            Mistake(
                #""abc\"#, .unexpectedEnd, 5, "1:6", #"one of " \ / b f n r t u after the backslash"#,
                "the end of the text", "the string that begins at 1:1 is not closed"),
            Mistake(
                #""\\#n""#, .string, 2, "1:3", #"one of " \ / b f n r t u after the backslash"#, "a line end",
                #"a backslash itself is written \\"#),
            Mistake(
                #""\é""#, .string, 2, "1:3", #"one of " \ / b f n r t u after the backslash"#, #""é" (U+00E9)"#,
                #"a backslash itself is written \\"#),
            Mistake(
                #""\u12G4""#, .string, 5, "1:6", #"four hexadecimal digits after \u"#, #""G4""#,
                #"a backslash itself is written \\"#),
            Mistake(
                #""\u12"#, .unexpectedEnd, 5, "1:6", #"four hexadecimal digits after \u"#, "the end of the text",
                "the string that begins at 1:1 is not closed"),
            Mistake(
                #""\u12""#, .string, 5, "1:6", #"four hexadecimal digits after \u"#, "a double quote",
                #"a backslash itself is written \\"#),
            Mistake(
                #""\u""#, .string, 3, "1:4", #"four hexadecimal digits after \u"#, "a double quote",
                #"a backslash itself is written \\"#),
            Mistake(
                #""\u+123""#, .string, 3, "1:4", #"four hexadecimal digits after \u"#, #""+""#,
                #"a backslash itself is written \\"#),
        ])
    func strings(_ mistake: Mistake) { mistake.verify() }

    @Test(
        "half of a surrogate pair is reported where its escape begins",
        arguments: [
            Mistake(#""\ud800""#, .surrogate, 1, "1:2", "both halves of a surrogate pair", #"\ud800 alone"#),
            Mistake(#""\udc00""#, .surrogate, 1, "1:2", "both halves of a surrogate pair", #"\udc00 alone"#),
            Mistake(#""\uD800\u0041""#, .surrogate, 1, "1:2", "both halves of a surrogate pair", #"\uD800 alone"#),
            Mistake(#""\ud800\ud800""#, .surrogate, 1, "1:2", "both halves of a surrogate pair", #"\ud800 alone"#),
            Mistake(#""\udc00\ud800""#, .surrogate, 1, "1:2", "both halves of a surrogate pair", #"\udc00 alone"#),
            Mistake(#""\ud800\n""#, .surrogate, 1, "1:2", "both halves of a surrogate pair", #"\ud800 alone"#),
            Mistake(#""\ud800x""#, .surrogate, 1, "1:2", "both halves of a surrogate pair", #"\ud800 alone"#),
            Mistake(#""\ud800"#, .surrogate, 1, "1:2", "both halves of a surrogate pair", #"\ud800 alone"#),
            Mistake(
                #""\ud800\u12""#, .string, 11, "1:12", #"four hexadecimal digits after \u"#, "a double quote",
                #"a backslash itself is written \\"#),
            Mistake(#"{"\udfff": 1}"#, .surrogate, 2, "1:3", "both halves of a surrogate pair", #"\udfff alone"#),
        ])
    func surrogates(_ mistake: Mistake) { mistake.verify() }
}
