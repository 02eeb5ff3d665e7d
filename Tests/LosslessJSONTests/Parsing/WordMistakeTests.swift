import LosslessJSON
import Testing

/// Words and characters that begin no value.
@Suite struct WordMistakeTests {
    @Test(
        "what is no value is reported with the value that was probably meant",
        arguments: [
            Mistake("True", .unexpected, 0, "1:1", "a value", #""True""#, "write true"),
            Mistake("[FALSE]", .unexpected, 1, "1:2", "a value", #""FALSE""#, "write false"),
            Mistake(#"{"a": None}"#, .unexpected, 6, "1:7", "a value", #""None""#, "write null"),
            Mistake("nil", .unexpected, 0, "1:1", "a value", #""nil""#, "write null"),
            Mistake("undefined", .unexpected, 0, "1:1", "a value", #""undefined""#, "write null"),
            Mistake("NaN", .unexpected, 0, "1:1", "a value", #""NaN""#, "JSON has no such number"),
            Mistake("Infinity", .unexpected, 0, "1:1", "a value", #""Infinity""#, "JSON has no such number"),
            Mistake("nul", .unexpected, 0, "1:1", "a value", #""nul""#, "write null"),
            Mistake("tru", .unexpected, 0, "1:1", "a value", #""tru""#, "write true"),
            Mistake("trux", .unexpected, 0, "1:1", "a value", #""trux""#, "strings stand in double quotes"),
            Mistake("nulll", .unexpected, 4, "1:5", "nothing more after the value", #""l""#),
            Mistake("yes", .unexpected, 0, "1:1", "a value", #""yes""#, "strings stand in double quotes"),
            Mistake("hello world", .unexpected, 0, "1:1", "a value", #""hello""#, "strings stand in double quotes"),
            Mistake("['x']", .unexpected, 1, "1:2", "a value", #""'""#, "strings stand in double quotes"),
            Mistake("`x`", .unexpected, 0, "1:1", "a value", #""`""#, "strings stand in double quotes"),
            Mistake(
                "[“x”]", .unexpected, 1, "1:2", "a value", #""“" (U+201C)"#, "strings stand in straight double quotes"),
            Mistake("$x", .unexpected, 0, "1:1", "a value", #""$""#),
            Mistake("<html>", .unexpected, 0, "1:1", "a value", #""<""#),
            Mistake("@", .unexpected, 0, "1:1", "a value", #""@""#),
            Mistake("É", .unexpected, 0, "1:1", "a value", #""É" (U+00C9)"#),
            Mistake("[\u{200B}1]", .unexpected, 1, "1:2", "a value", "U+200B", "remove this invisible character"),
            Mistake("[\u{A0}1]", .unexpected, 1, "1:2", "a value", "U+00A0", "remove this invisible character"),
            Mistake("\u{7F}", .unexpected, 0, "1:1", "a value", "a control character, U+007F"),
            Mistake("\u{1}", .unexpected, 0, "1:1", "a value", "a control character, U+0001"),
            Mistake(
                "a_word_that_is_longer_than_24_letters", .unexpected, 0, "1:1", "a value",
                #""a_word_that_is_longer_th…""#, "strings stand in double quotes"),
        ])
    func words(_ mistake: Mistake) { mistake.verify() }
}
