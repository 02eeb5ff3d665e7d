import LosslessJSON
import Testing

/// Words and characters that cannot start a value.
@Suite struct WordErrorTests {
    @Test(
        "A word or character that cannot start a value is reported with a suggestion",
        arguments: [
            SyntaxErrorCase("True", .unexpected, 0, "1:1", "a value", #""True""#, "write true"),
            SyntaxErrorCase("[FALSE]", .unexpected, 1, "1:2", "a value", #""FALSE""#, "write false"),
            SyntaxErrorCase(#"{"a": None}"#, .unexpected, 6, "1:7", "a value", #""None""#, "write null"),
            SyntaxErrorCase("nil", .unexpected, 0, "1:1", "a value", #""nil""#, "write null"),
            SyntaxErrorCase("undefined", .unexpected, 0, "1:1", "a value", #""undefined""#, "write null"),
            SyntaxErrorCase("NaN", .unexpected, 0, "1:1", "a value", #""NaN""#, "JSON has no such number"),
            SyntaxErrorCase("Infinity", .unexpected, 0, "1:1", "a value", #""Infinity""#, "JSON has no such number"),
            SyntaxErrorCase("nul", .unexpected, 0, "1:1", "a value", #""nul""#, "write null"),
            SyntaxErrorCase("tru", .unexpected, 0, "1:1", "a value", #""tru""#, "write true"),
            SyntaxErrorCase("trux", .unexpected, 0, "1:1", "a value", #""trux""#, "strings need double quotes"),
            SyntaxErrorCase("nulll", .unexpected, 4, "1:5", "nothing more after the value", #""l""#),
            SyntaxErrorCase("yes", .unexpected, 0, "1:1", "a value", #""yes""#, "strings need double quotes"),
            SyntaxErrorCase("hello world", .unexpected, 0, "1:1", "a value", #""hello""#, "strings need double quotes"),
            SyntaxErrorCase("['x']", .unexpected, 1, "1:2", "a value", #""'""#, "strings need double quotes"),
            SyntaxErrorCase("`x`", .unexpected, 0, "1:1", "a value", #""`""#, "strings need double quotes"),
            SyntaxErrorCase(
                "[“x”]", .unexpected, 1, "1:2", "a value", #""“" (U+201C)"#, "strings need straight double quotes"),
            SyntaxErrorCase("$x", .unexpected, 0, "1:1", "a value", #""$""#),
            SyntaxErrorCase("<html>", .unexpected, 0, "1:1", "a value", #""<""#),
            SyntaxErrorCase("@", .unexpected, 0, "1:1", "a value", #""@""#),
            SyntaxErrorCase("É", .unexpected, 0, "1:1", "a value", #""É" (U+00C9)"#),
            SyntaxErrorCase(
                "[\u{200B}1]", .unexpected, 1, "1:2", "a value", "U+200B", "remove this invisible character"),
            SyntaxErrorCase("[\u{A0}1]", .unexpected, 1, "1:2", "a value", "U+00A0", "remove this invisible character"),
            SyntaxErrorCase("\u{7F}", .unexpected, 0, "1:1", "a value", "a control character, U+007F"),
            SyntaxErrorCase("\u{1}", .unexpected, 0, "1:1", "a value", "a control character, U+0001"),
            SyntaxErrorCase(
                "a_word_that_is_longer_than_24_letters", .unexpected, 0, "1:1", "a value",
                #""a_word_that_is_longer_th…""#, "strings need double quotes"),
        ])
    func words(_ mistake: SyntaxErrorCase) { mistake.verify() }
}
