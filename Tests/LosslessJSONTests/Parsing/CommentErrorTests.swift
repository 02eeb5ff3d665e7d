import LosslessJSON
import Testing

/// Forbidden and malformed comments.
@Suite struct CommentErrorTests {
    @Test(
        "Forbidden and unterminated comments are reported as comments, a lone slash as an unexpected character",
        arguments: [
            SyntaxErrorCase(
                "// c\n1", in: .json, .comment, 0, "1:1", "a value", "a comment", "JSON has no comments (RFC 8259)"),
            SyntaxErrorCase(
                "1 // c", in: .json, .comment, 2, "1:3", "nothing more after the value", "a comment",
                "JSON has no comments (RFC 8259)"),
            SyntaxErrorCase(
                "/* c */ 1", in: .json, .comment, 0, "1:1", "a value", "a comment", "JSON has no comments (RFC 8259)"),
            SyntaxErrorCase(
                "[1, /* c */ 2]", in: .json, .comment, 4, "1:5", "a value", "a comment",
                "JSON has no comments (RFC 8259)"),
            SyntaxErrorCase(
                "[1 // c\n]", in: .json, .comment, 3, "1:4", #""," or "]""#, "a comment",
                "JSON has no comments (RFC 8259)"),
            SyntaxErrorCase(
                #"{"a": /**/ 1}"#, in: .json, .comment, 6, "1:7", "a value", "a comment",
                "JSON has no comments (RFC 8259)"),
            SyntaxErrorCase(
                "{ // c\n}", in: .json, .comment, 2, "1:3", "a key in double quotes", "a comment",
                "JSON has no comments (RFC 8259)"),
            SyntaxErrorCase(
                #"{"a" /**/ : 1}"#, in: .json, .comment, 5, "1:6", #"":" after the key"#, "a comment",
                "JSON has no comments (RFC 8259)"),
            SyntaxErrorCase("# c\n1", in: .json, .unexpected, 0, "1:1", "a value", "\"#\"", "JSON has no comments"),
            SyntaxErrorCase("# c\n1", in: .jsonc, .unexpected, 0, "1:1", "a value", "\"#\"", "comments start with //"),
            SyntaxErrorCase(
                "[1, # c\n2]", in: .json, .unexpected, 4, "1:5", "a value", "\"#\"", "JSON has no comments"),
            SyntaxErrorCase(
                "[1, # c\n2]", in: .jsonc, .unexpected, 4, "1:5", "a value", "\"#\"", "comments start with //"),
            SyntaxErrorCase("/", in: .json, .unexpected, 0, "1:1", "a value", #""/""#),
            SyntaxErrorCase("/", in: .jsonc, .unexpected, 0, "1:1", "a value", #""/""#, "comments start with // or /*"),
            SyntaxErrorCase("[1 / 2]", in: .json, .unexpected, 3, "1:4", #""," or "]""#, #""/""#),
            SyntaxErrorCase(
                "[1 / 2]", in: .jsonc, .unexpected, 3, "1:4", #""," or "]""#, #""/""#, "comments start with // or /*"),
            SyntaxErrorCase("1 /", in: .json, .unexpected, 2, "1:3", "nothing more after the value", #""/""#),
            SyntaxErrorCase(
                "1 /", in: .jsonc, .unexpected, 2, "1:3", "nothing more after the value", #""/""#,
                "comments start with // or /*"),
            SyntaxErrorCase("{/}", in: .json, .unexpected, 1, "1:2", "a key in double quotes", #""/""#),
            SyntaxErrorCase(
                "{/}", in: .jsonc, .unexpected, 1, "1:2", "a key in double quotes", #""/""#,
                "comments start with // or /*"),
            SyntaxErrorCase(#"{"a" / 1}"#, in: .json, .unexpected, 5, "1:6", #"":" after the key"#, #""/""#),
            SyntaxErrorCase(
                #"{"a" / 1}"#, in: .jsonc, .unexpected, 5, "1:6", #"":" after the key"#, #""/""#,
                "comments start with // or /*"),
            SyntaxErrorCase("[/]", in: .json, .unexpected, 1, "1:2", "a value", #""/""#),
            SyntaxErrorCase(
                "[/]", in: .jsonc, .unexpected, 1, "1:2", "a value", #""/""#, "comments start with // or /*"),
            SyntaxErrorCase(
                "/* c", in: .json, .comment, 0, "1:1", "a value", "a comment", "JSON has no comments (RFC 8259)"),
            SyntaxErrorCase(
                "/* c", in: .jsonc, .unexpectedEnd, 0, "1:1", #""*/" at the end of the comment"#, "the end of the text"),
            SyntaxErrorCase(
                "[1, /* c", in: .json, .comment, 4, "1:5", "a value", "a comment", "JSON has no comments (RFC 8259)"),
            SyntaxErrorCase(
                "[1, /* c", in: .jsonc, .unexpectedEnd, 4, "1:5", #""*/" at the end of the comment"#,
                "the end of the text"),
            SyntaxErrorCase(
                #"{"a": 1 /* c"#, in: .json, .comment, 8, "1:9", #""," or "}""#, "a comment",
                "JSON has no comments (RFC 8259)"),
            SyntaxErrorCase(
                #"{"a": 1 /* c"#, in: .jsonc, .unexpectedEnd, 8, "1:9", #""*/" at the end of the comment"#,
                "the end of the text"),
            SyntaxErrorCase(
                "/*/", in: .json, .comment, 0, "1:1", "a value", "a comment", "JSON has no comments (RFC 8259)"),
            SyntaxErrorCase(
                "/*/", in: .jsonc, .unexpectedEnd, 0, "1:1", #""*/" at the end of the comment"#, "the end of the text"),
            SyntaxErrorCase(
                "// c", in: .json, .comment, 0, "1:1", "a value", "a comment", "JSON has no comments (RFC 8259)"),
            SyntaxErrorCase("// c", in: .jsonc, .unexpectedEnd, 4, "1:5", "a value", "the end of the text"),
            SyntaxErrorCase(
                "/**/", in: .json, .comment, 0, "1:1", "a value", "a comment", "JSON has no comments (RFC 8259)"),
            SyntaxErrorCase("/**/", in: .jsonc, .unexpectedEnd, 4, "1:5", "a value", "the end of the text"),
        ])
    func comments(_ mistake: SyntaxErrorCase) { mistake.verify() }
}
