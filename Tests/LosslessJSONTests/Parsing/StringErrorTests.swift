import LosslessJSON
import Testing

/// Unterminated strings, and strings with forbidden contents.
@Suite struct StringErrorTests {
    @Test(
        "An unterminated string or an invalid character in it is reported with the correct spelling",
        arguments: [
            SyntaxErrorCase(
                #""abc"#, .unexpectedEnd, 4, "1:5", "the closing quote of a string", "the end of the text",
                "the string that begins at 1:1 is not closed"),
            SyntaxErrorCase(
                #"["abc"#, .unexpectedEnd, 5, "1:6", "the closing quote of a string", "the end of the text",
                "the string that begins at 1:2 is not closed"),
            SyntaxErrorCase(
                #"{"a"#, .unexpectedEnd, 3, "1:4", "the closing quote of a string", "the end of the text",
                "the string that begins at 1:2 is not closed"),
            SyntaxErrorCase(
                #"{"a": "b\#n}"#, .string, 8, "1:9", "the closing quote of a string", "a line end",
                #"a string cannot span lines; write a line break as \n"#),
            SyntaxErrorCase(
                #""a\#r\#n""#, .string, 2, "1:3", "the closing quote of a string", "a line end",
                #"a string cannot span lines; write a line break as \n"#),
            SyntaxErrorCase(
                #""a\#tb""#, .string, 2, "1:3", "the closing quote of a string", "a tab",
                #"write a tab in a string as \t"#),
            SyntaxErrorCase(
                #""\#u{0}""#, .string, 1, "1:2", "the closing quote of a string", "a control character, U+0000",
                #"write a control character in a string as \u0000"#),
            SyntaxErrorCase(
                #""\#u{1F}""#, .string, 1, "1:2", "the closing quote of a string", "a control character, U+001F",
                #"write a control character in a string as \u001F"#),
            SyntaxErrorCase(
                #""C:\Users""#, .string, 4, "1:5", #"one of " \ / b f n r t u after the backslash"#, #""U""#,
                #"write a backslash as \\"#),
            SyntaxErrorCase(
                #""\'""#, .string, 2, "1:3", #"one of " \ / b f n r t u after the backslash"#, #""'""#,
                "a single quote needs no backslash"),
            SyntaxErrorCase(
                #""\x41""#, .string, 2, "1:3", #"one of " \ / b f n r t u after the backslash"#, #""x""#,
                #"write a backslash as \\"#),
            SyntaxErrorCase(
                #""\"#, .unexpectedEnd, 2, "1:3", #"one of " \ / b f n r t u after the backslash"#,
                "the end of the text", "the string that begins at 1:1 is not closed"),
            SyntaxErrorCase(
                #""abc\"#, .unexpectedEnd, 5, "1:6", #"one of " \ / b f n r t u after the backslash"#,
                "the end of the text", "the string that begins at 1:1 is not closed"),
            SyntaxErrorCase(
                #""\\#n""#, .string, 2, "1:3", #"one of " \ / b f n r t u after the backslash"#, "a line end",
                #"write a backslash as \\"#),
            SyntaxErrorCase(
                #""\é""#, .string, 2, "1:3", #"one of " \ / b f n r t u after the backslash"#, #""é" (U+00E9)"#,
                #"write a backslash as \\"#),
            SyntaxErrorCase(
                #""\u12G4""#, .string, 5, "1:6", #"four hexadecimal digits after \u"#, #""G4""#,
                #"write a backslash as \\"#),
            SyntaxErrorCase(
                #""\u12"#, .unexpectedEnd, 5, "1:6", #"four hexadecimal digits after \u"#, "the end of the text",
                "the string that begins at 1:1 is not closed"),
            SyntaxErrorCase(
                #""\u12""#, .string, 5, "1:6", #"four hexadecimal digits after \u"#, "a double quote",
                #"write a backslash as \\"#),
            SyntaxErrorCase(
                #""\u""#, .string, 3, "1:4", #"four hexadecimal digits after \u"#, "a double quote",
                #"write a backslash as \\"#),
            SyntaxErrorCase(
                #""\u+123""#, .string, 3, "1:4", #"four hexadecimal digits after \u"#, #""+""#,
                #"write a backslash as \\"#),
        ])
    func strings(_ mistake: SyntaxErrorCase) { mistake.verify() }

    @Test(
        "Half of a surrogate pair is reported at the beginning of its escape",
        arguments: [
            SyntaxErrorCase(#""\ud800""#, .surrogate, 1, "1:2", "both halves of a surrogate pair", #"\ud800 alone"#),
            SyntaxErrorCase(#""\udc00""#, .surrogate, 1, "1:2", "both halves of a surrogate pair", #"\udc00 alone"#),
            SyntaxErrorCase(
                #""\uD800\u0041""#, .surrogate, 1, "1:2", "both halves of a surrogate pair", #"\uD800 alone"#),
            SyntaxErrorCase(
                #""\ud800\ud800""#, .surrogate, 1, "1:2", "both halves of a surrogate pair", #"\ud800 alone"#),
            SyntaxErrorCase(
                #""\udc00\ud800""#, .surrogate, 1, "1:2", "both halves of a surrogate pair", #"\udc00 alone"#),
            SyntaxErrorCase(#""\ud800\n""#, .surrogate, 1, "1:2", "both halves of a surrogate pair", #"\ud800 alone"#),
            SyntaxErrorCase(#""\ud800x""#, .surrogate, 1, "1:2", "both halves of a surrogate pair", #"\ud800 alone"#),
            SyntaxErrorCase(#""\ud800"#, .surrogate, 1, "1:2", "both halves of a surrogate pair", #"\ud800 alone"#),
            SyntaxErrorCase(
                #""\ud800\u12""#, .string, 11, "1:12", #"four hexadecimal digits after \u"#, "a double quote",
                #"write a backslash as \\"#),
            SyntaxErrorCase(
                #"{"\udfff": 1}"#, .surrogate, 2, "1:3", "both halves of a surrogate pair", #"\udfff alone"#),
        ])
    func surrogates(_ mistake: SyntaxErrorCase) { mistake.verify() }
}
