import LosslessJSON
import Testing

/// Keys without quotes, without a colon, without a value.
@Suite struct KeyErrorTests {
    @Test(
        "An invalid key or a missing colon is reported with the correct spelling",
        arguments: [
            SyntaxErrorCase(
                "{a: 1}", .unexpected, 1, "1:2", "a key in double quotes", #""a""#, #"write "a" in double quotes"#),
            SyntaxErrorCase(
                #"{"a": 1, b_c.d: 2}"#, .unexpected, 9, "1:10", "a key in double quotes", #""b_c.d""#,
                #"write "b_c.d" in double quotes"#),
            SyntaxErrorCase(
                "{'a': 1}", .unexpected, 1, "1:2", "a key in double quotes", #""'""#, "strings need double quotes"),
            SyntaxErrorCase(
                "{“a”: 1}", .unexpected, 1, "1:2", "a key in double quotes", #""“" (U+201C)"#,
                "strings need straight double quotes"),
            SyntaxErrorCase(
                "{1: 2}", .unexpected, 1, "1:2", "a key in double quotes", #""1""#, #"write "1" in double quotes"#),
            SyntaxErrorCase(
                "{null: 2}", .unexpected, 1, "1:2", "a key in double quotes", #""null""#,
                #"write "null" in double quotes"#),
            SyntaxErrorCase(#"{"a" 1}"#, .unexpected, 5, "1:6", #"":" after the key"#, #""1""#),
            SyntaxErrorCase(
                #"{"a" = 1}"#, .unexpected, 5, "1:6", #"":" after the key"#, #""=""#,
                #"a key and its value are separated by ":""#),
            SyntaxErrorCase(#"{"a", 1}"#, .unexpected, 4, "1:5", #"":" after the key"#, #"",""#),
            SyntaxErrorCase(#"{"a"}"#, .unexpected, 4, "1:5", #"":" after the key"#, #""}""#),
            SyntaxErrorCase(#"{"a":}"#, .unexpected, 5, "1:6", "a value", #""}""#),
            SyntaxErrorCase("{[1]: 2}", .unexpected, 1, "1:2", "a key in double quotes", #""[""#),
            SyntaxErrorCase("{-: 2}", .unexpected, 1, "1:2", "a key in double quotes", #""-""#),
        ])
    func keys(_ mistake: SyntaxErrorCase) { mistake.verify() }
}
