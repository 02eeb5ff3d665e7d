import LosslessJSON
import Testing

/// Keys without quotes, without a colon, without a value.
@Suite struct KeyMistakeTests {
    @Test(
        "a wrong key or colon is reported with the spelling to use",
        arguments: [
            Mistake("{a: 1}", .unexpected, 1, "1:2", "a key in double quotes", #""a""#, #"write "a" in double quotes"#),
            Mistake(
                #"{"a": 1, b_c.d: 2}"#, .unexpected, 9, "1:10", "a key in double quotes", #""b_c.d""#,
                #"write "b_c.d" in double quotes"#),
            Mistake(
                "{'a': 1}", .unexpected, 1, "1:2", "a key in double quotes", #""'""#, "strings stand in double quotes"),
            Mistake(
                "{“a”: 1}", .unexpected, 1, "1:2", "a key in double quotes", #""“" (U+201C)"#,
                "strings stand in straight double quotes"),
            Mistake("{1: 2}", .unexpected, 1, "1:2", "a key in double quotes", #""1""#, #"write "1" in double quotes"#),
            Mistake(
                "{null: 2}", .unexpected, 1, "1:2", "a key in double quotes", #""null""#,
                #"write "null" in double quotes"#),
            Mistake(#"{"a" 1}"#, .unexpected, 5, "1:6", #"":" after the key"#, #""1""#),
            Mistake(
                #"{"a" = 1}"#, .unexpected, 5, "1:6", #"":" after the key"#, #""=""#,
                #"a key and its value are parted by ":""#),
            Mistake(#"{"a", 1}"#, .unexpected, 4, "1:5", #"":" after the key"#, #"",""#),
            Mistake(#"{"a"}"#, .unexpected, 4, "1:5", #"":" after the key"#, #""}""#),
            Mistake(#"{"a":}"#, .unexpected, 5, "1:6", "a value", #""}""#),
            Mistake("{[1]: 2}", .unexpected, 1, "1:2", "a key in double quotes", #""[""#),
            Mistake("{-: 2}", .unexpected, 1, "1:2", "a key in double quotes", #""-""#),
        ])
    func keys(_ mistake: Mistake) { mistake.verify() }
}
