import LosslessJSON
import Testing

/// Texts that end prematurely.
@Suite struct UnfinishedTextTests {
    @Test(
        "A truncated text is reported at its end with the container that is not closed",
        arguments: [
            SyntaxErrorCase("", .unexpectedEnd, 0, "1:1", "a value", "the end of the text"),
            SyntaxErrorCase("  ", .unexpectedEnd, 0, "1:1", "a value", "the end of the text"),
            SyntaxErrorCase("\n", .unexpectedEnd, 0, "1:1", "a value", "the end of the text"),
            SyntaxErrorCase("\u{FEFF}", .unexpectedEnd, 3, "1:1", "a value", "the end of the text"),
            SyntaxErrorCase(
                "[", .unexpectedEnd, 1, "1:2", "a value", "the end of the text",
                "the array that begins at 1:1 is not closed"),
            SyntaxErrorCase(
                "{", .unexpectedEnd, 1, "1:2", "a key in double quotes", "the end of the text",
                "the object that begins at 1:1 is not closed"),
            SyntaxErrorCase(
                #"{"a""#, .unexpectedEnd, 4, "1:5", #"":" after the key"#, "the end of the text",
                "the object that begins at 1:1 is not closed"),
            SyntaxErrorCase(
                #"{"a":"#, .unexpectedEnd, 5, "1:6", "a value", "the end of the text",
                "the object that begins at 1:1 is not closed"),
            SyntaxErrorCase(
                #"{"a": 1"#, .unexpectedEnd, 7, "1:8", #""," or "}""#, "the end of the text",
                "the object that begins at 1:1 is not closed"),
            SyntaxErrorCase(
                #"{"a": 1,"#, .unexpectedEnd, 8, "1:9", "a key in double quotes", "the end of the text",
                "the object that begins at 1:1 is not closed"),
            SyntaxErrorCase(
                "[1", .unexpectedEnd, 2, "1:3", #""," or "]""#, "the end of the text",
                "the array that begins at 1:1 is not closed"),
            SyntaxErrorCase(
                "[1,", .unexpectedEnd, 3, "1:4", "a value", "the end of the text",
                "the array that begins at 1:1 is not closed"),
            SyntaxErrorCase(
                #"{"a": {"b": [1, 2"#, .unexpectedEnd, 17, "1:18", #""," or "]""#, "the end of the text",
                "the array that begins at 1:13 is not closed"),
            SyntaxErrorCase(
                #"[{"a": 1}, {"b""#, .unexpectedEnd, 15, "1:16", #"":" after the key"#, "the end of the text",
                "the object that begins at 1:12 is not closed"),
            SyntaxErrorCase("nul", .unexpected, 0, "1:1", "a value", #""nul""#, "write null"),
        ])
    func unfinished(_ mistake: SyntaxErrorCase) { mistake.verify() }

    @Test(
        "A truncated text that ends with white space is reported after the last character before it",
        arguments: [
            SyntaxErrorCase(
                "{\n  \"a\": 1 \t\r\n\n  \n", .unexpectedEnd, 10, "2:9", #""," or "}""#, "the end of the text",
                "the object that begins at 1:1 is not closed"),
            SyntaxErrorCase(
                "[1,\r\r", .unexpectedEnd, 3, "1:4", "a value", "the end of the text",
                "the array that begins at 1:1 is not closed"),
            SyntaxErrorCase(
                "[\n// why\n\n", in: .jsonc, .unexpectedEnd, 8, "2:7", "a value", "the end of the text",
                "the array that begins at 1:1 is not closed"),
            SyntaxErrorCase("\n \n\n", .unexpectedEnd, 0, "1:1", "a value", "the end of the text"),
            SyntaxErrorCase("\u{FEFF}\n\n", .unexpectedEnd, 3, "1:1", "a value", "the end of the text"),
            SyntaxErrorCase("// c\n\n", in: .jsonc, .unexpectedEnd, 4, "1:5", "a value", "the end of the text"),
            SyntaxErrorCase(
                "[\"a  ", .unexpectedEnd, 5, "1:6", "the closing quote of a string", "the end of the text",
                "the string that begins at 1:2 is not closed"),
        ])
    func trailingSpace(_ mistake: SyntaxErrorCase) { mistake.verify() }
}
