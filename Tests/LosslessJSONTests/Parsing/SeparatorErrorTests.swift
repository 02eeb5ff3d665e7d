import LosslessJSON
import Testing

/// Missing and superfluous commas and brackets.
@Suite struct SeparatorErrorTests {
    @Test(
        "A missing or superfluous comma or bracket is reported at its location",
        arguments: [
            SyntaxErrorCase(
                #"{"a": 1\#n "b": 2}"#, .unexpected, 9, "2:2", #""," or "}""#, "a string",
                "is a comma missing before it?"),
            SyntaxErrorCase("[1 2]", .unexpected, 3, "1:4", #""," or "]""#, #""2""#, "is a comma missing before it?"),
            SyntaxErrorCase("[1 -2]", .unexpected, 3, "1:4", #""," or "]""#, #""-""#, "is a comma missing before it?"),
            SyntaxErrorCase(
                #"["a" "b"]"#, .unexpected, 5, "1:6", #""," or "]""#, "a string", "is a comma missing before it?"),
            SyntaxErrorCase("[{} {}]", .unexpected, 4, "1:5", #""," or "]""#, #""{""#, "is a comma missing before it?"),
            SyntaxErrorCase("[1 [2]]", .unexpected, 3, "1:4", #""," or "]""#, #""[""#, "is a comma missing before it?"),
            SyntaxErrorCase(
                "[true false]", .unexpected, 6, "1:7", #""," or "]""#, #""false""#, "is a comma missing before it?"),
            SyntaxErrorCase(
                #"{"a": 1 b: 2}"#, .unexpected, 8, "1:9", #""," or "}""#, #""b""#, "is a comma missing before it?"),
            SyntaxErrorCase("[1,,2]", .unexpected, 3, "1:4", "a value", #"",""#, "one comma too many"),
            SyntaxErrorCase("[,]", .unexpected, 1, "1:2", "a value", #"",""#, "one comma too many"),
            SyntaxErrorCase("{,}", .unexpected, 1, "1:2", "a key in double quotes", #"",""#, "one comma too many"),
            SyntaxErrorCase(
                #"{"a": 1,, "b": 2}"#, .unexpected, 8, "1:9", "a key in double quotes", #"",""#, "one comma too many"),
            SyntaxErrorCase("[1; 2]", .unexpected, 2, "1:3", #""," or "]""#, #"";""#),
            SyntaxErrorCase(
                #"{"a": [1, 2}"#, .unexpected, 11, "1:12", #""," or "]""#, #""}""#,
                "the array that begins at 1:7 is not closed"),
            SyntaxErrorCase(
                #"[1, {"a": 1]"#, .unexpected, 11, "1:12", #""," or "}""#, #""]""#,
                "the object that begins at 1:5 is not closed"),
            SyntaxErrorCase(
                "{}}", .unexpected, 2, "1:3", "nothing more after the value", #""}""#, #"one "}" too many"#),
            SyntaxErrorCase(
                "[1]]", .unexpected, 3, "1:4", "nothing more after the value", #""]""#, #"one "]" too many"#),
            SyntaxErrorCase("]", .unexpected, 0, "1:1", "a value", #""]""#),
            SyntaxErrorCase("}", .unexpected, 0, "1:1", "a value", #""}""#),
        ])
    func commas(_ mistake: SyntaxErrorCase) { mistake.verify() }

    @Test(
        "Strict JSON reports a trailing comma as a trailing comma",
        arguments: [
            SyntaxErrorCase(
                #"{"a": 1,}"#, in: .json, .trailingComma, 8, "1:9", "a key in double quotes", #""}""#,
                "remove the comma before it"),
            SyntaxErrorCase(
                "[1,]", in: .json, .trailingComma, 3, "1:4", "a value", #""]""#, "remove the comma before it"),
            SyntaxErrorCase(
                #"{"a": {"b": [1],\#n},\#n}"#, in: .json, .trailingComma, 17, "2:1", "a key in double quotes", #""}""#,
                "remove the comma before it"),
            SyntaxErrorCase(
                "[1 , ]", in: .json, .trailingComma, 5, "1:6", "a value", #""]""#, "remove the comma before it"),
        ])
    func trailingCommas(_ mistake: SyntaxErrorCase) { mistake.verify() }

    @Test(
        "A second top-level value is reported where it begins",
        arguments: [
            SyntaxErrorCase("1 2", .unexpected, 2, "1:3", "nothing more after the value", #""2""#),
            SyntaxErrorCase("{} {}", .unexpected, 3, "1:4", "nothing more after the value", #""{""#),
            SyntaxErrorCase("[]\n[]", .unexpected, 3, "2:1", "nothing more after the value", #""[""#),
            SyntaxErrorCase(#""a" "b""#, .unexpected, 4, "1:5", "nothing more after the value", "a string"),
            SyntaxErrorCase("1 x", .unexpected, 2, "1:3", "nothing more after the value", #""x""#),
            SyntaxErrorCase("null,", .unexpected, 4, "1:5", "nothing more after the value", #"",""#),
            SyntaxErrorCase(
                "\u{FEFF}\u{FEFF}1", .unexpected, 3, "1:1", "a value", "U+FEFF", "remove this invisible character"),
            SyntaxErrorCase(
                "1\u{FEFF}", .unexpected, 1, "1:2", "nothing more after the value", "U+FEFF",
                "remove this invisible character"),
        ])
    func secondValues(_ mistake: SyntaxErrorCase) { mistake.verify() }
}
