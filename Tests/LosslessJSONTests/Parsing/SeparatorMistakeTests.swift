import LosslessJSON
import Testing

/// Missing and superfluous commas and brackets.
@Suite struct SeparatorMistakeTests {
    @Test(
        "a wrong comma or bracket is reported where it stands",
        arguments: [
            Mistake(
                #"{"a": 1\#n "b": 2}"#, .unexpected, 9, "2:2", #""," or "}""#, "a string",
                "is a comma missing before it?"),
            Mistake("[1 2]", .unexpected, 3, "1:4", #""," or "]""#, #""2""#, "is a comma missing before it?"),
            Mistake("[1 -2]", .unexpected, 3, "1:4", #""," or "]""#, #""-""#, "is a comma missing before it?"),
            Mistake(#"["a" "b"]"#, .unexpected, 5, "1:6", #""," or "]""#, "a string", "is a comma missing before it?"),
            Mistake("[{} {}]", .unexpected, 4, "1:5", #""," or "]""#, #""{""#, "is a comma missing before it?"),
            Mistake("[1 [2]]", .unexpected, 3, "1:4", #""," or "]""#, #""[""#, "is a comma missing before it?"),
            Mistake(
                "[true false]", .unexpected, 6, "1:7", #""," or "]""#, #""false""#, "is a comma missing before it?"),
            Mistake(#"{"a": 1 b: 2}"#, .unexpected, 8, "1:9", #""," or "}""#, #""b""#, "is a comma missing before it?"),
            Mistake("[1,,2]", .unexpected, 3, "1:4", "a value", #"",""#, "one comma too many"),
            Mistake("[,]", .unexpected, 1, "1:2", "a value", #"",""#, "one comma too many"),
            Mistake("{,}", .unexpected, 1, "1:2", "a key in double quotes", #"",""#, "one comma too many"),
            Mistake(
                #"{"a": 1,, "b": 2}"#, .unexpected, 8, "1:9", "a key in double quotes", #"",""#, "one comma too many"),
            Mistake("[1; 2]", .unexpected, 2, "1:3", #""," or "]""#, #"";""#),
            Mistake(
                #"{"a": [1, 2}"#, .unexpected, 11, "1:12", #""," or "]""#, #""}""#,
                "the array that begins at 1:7 is not closed"),
            Mistake(
                #"[1, {"a": 1]"#, .unexpected, 11, "1:12", #""," or "}""#, #""]""#,
                "the object that begins at 1:5 is not closed"),
            Mistake("{}}", .unexpected, 2, "1:3", "nothing more after the value", #""}""#, #"one "}" too many"#),
            Mistake("[1]]", .unexpected, 3, "1:4", "nothing more after the value", #""]""#, #"one "]" too many"#),
            Mistake("]", .unexpected, 0, "1:1", "a value", #""]""#),
            Mistake("}", .unexpected, 0, "1:1", "a value", #""}""#),
        ])
    func commas(_ mistake: Mistake) { mistake.verify() }

    @Test(
        "strict JSON reports a comma behind the last item as such",
        arguments: [
            Mistake(
                #"{"a": 1,}"#, in: .json, .trailingComma, 8, "1:9", "a key in double quotes", #""}""#,
                "remove the comma before it"),
            Mistake("[1,]", in: .json, .trailingComma, 3, "1:4", "a value", #""]""#, "remove the comma before it"),
            Mistake(
                #"{"a": {"b": [1],\#n},\#n}"#, in: .json, .trailingComma, 17, "2:1", "a key in double quotes", #""}""#,
                "remove the comma before it"),
            Mistake("[1 , ]", in: .json, .trailingComma, 5, "1:6", "a value", #""]""#, "remove the comma before it"),
        ])
    func trailingCommas(_ mistake: Mistake) { mistake.verify() }

    @Test(
        "a second value is reported where it begins",
        arguments: [
            Mistake("1 2", .unexpected, 2, "1:3", "nothing more after the value", #""2""#),
            Mistake("{} {}", .unexpected, 3, "1:4", "nothing more after the value", #""{""#),
            Mistake("[]\n[]", .unexpected, 3, "2:1", "nothing more after the value", #""[""#),
            Mistake(#""a" "b""#, .unexpected, 4, "1:5", "nothing more after the value", "a string"),
            Mistake("1 x", .unexpected, 2, "1:3", "nothing more after the value", #""x""#),
            Mistake("null,", .unexpected, 4, "1:5", "nothing more after the value", #"",""#),
            Mistake("\u{FEFF}\u{FEFF}1", .unexpected, 3, "1:1", "a value", "U+FEFF", "remove this invisible character"),
            Mistake(
                "1\u{FEFF}", .unexpected, 1, "1:2", "nothing more after the value", "U+FEFF",
                "remove this invisible character"),
        ])
    func secondValues(_ mistake: Mistake) { mistake.verify() }
}
