import LosslessJSON
import Testing

/// Comments where there are none, and comments that are none.
@Suite struct CommentMistakeTests {
    @Test(
        "a comment is reported as one; a lone slash is not",
        arguments: [
            Mistake(
                "// c\n1", in: .json, .comment, 0, "1:1", "a value", "a comment", "JSON has no comments (RFC 8259)"),
            Mistake(
                "1 // c", in: .json, .comment, 2, "1:3", "nothing more after the value", "a comment",
                "JSON has no comments (RFC 8259)"),
            Mistake(
                "/* c */ 1", in: .json, .comment, 0, "1:1", "a value", "a comment", "JSON has no comments (RFC 8259)"),
            Mistake(
                "[1, /* c */ 2]", in: .json, .comment, 4, "1:5", "a value", "a comment",
                "JSON has no comments (RFC 8259)"),
            Mistake(
                "[1 // c\n]", in: .json, .comment, 3, "1:4", #""," or "]""#, "a comment",
                "JSON has no comments (RFC 8259)"),
            Mistake(
                #"{"a": /**/ 1}"#, in: .json, .comment, 6, "1:7", "a value", "a comment",
                "JSON has no comments (RFC 8259)"),
            Mistake(
                "{ // c\n}", in: .json, .comment, 2, "1:3", "a key in double quotes", "a comment",
                "JSON has no comments (RFC 8259)"),
            Mistake(
                #"{"a" /**/ : 1}"#, in: .json, .comment, 5, "1:6", #"":" after the key"#, "a comment",
                "JSON has no comments (RFC 8259)"),
            Mistake("# c\n1", in: .json, .unexpected, 0, "1:1", "a value", "\"#\"", "JSON has no comments"),
            Mistake("# c\n1", in: .jsonc, .unexpected, 0, "1:1", "a value", "\"#\"", "comments begin with //"),
            Mistake("[1, # c\n2]", in: .json, .unexpected, 4, "1:5", "a value", "\"#\"", "JSON has no comments"),
            Mistake("[1, # c\n2]", in: .jsonc, .unexpected, 4, "1:5", "a value", "\"#\"", "comments begin with //"),
            Mistake("/", in: .json, .unexpected, 0, "1:1", "a value", #""/""#),
            Mistake("/", in: .jsonc, .unexpected, 0, "1:1", "a value", #""/""#, "comments begin with // or /*"),
            Mistake("[1 / 2]", in: .json, .unexpected, 3, "1:4", #""," or "]""#, #""/""#),
            Mistake(
                "[1 / 2]", in: .jsonc, .unexpected, 3, "1:4", #""," or "]""#, #""/""#, "comments begin with // or /*"),
            Mistake("1 /", in: .json, .unexpected, 2, "1:3", "nothing more after the value", #""/""#),
            Mistake(
                "1 /", in: .jsonc, .unexpected, 2, "1:3", "nothing more after the value", #""/""#,
                "comments begin with // or /*"),
            Mistake("{/}", in: .json, .unexpected, 1, "1:2", "a key in double quotes", #""/""#),
            Mistake(
                "{/}", in: .jsonc, .unexpected, 1, "1:2", "a key in double quotes", #""/""#,
                "comments begin with // or /*"),
            Mistake(#"{"a" / 1}"#, in: .json, .unexpected, 5, "1:6", #"":" after the key"#, #""/""#),
            Mistake(
                #"{"a" / 1}"#, in: .jsonc, .unexpected, 5, "1:6", #"":" after the key"#, #""/""#,
                "comments begin with // or /*"),
            Mistake("[/]", in: .json, .unexpected, 1, "1:2", "a value", #""/""#),
            Mistake("[/]", in: .jsonc, .unexpected, 1, "1:2", "a value", #""/""#, "comments begin with // or /*"),
            Mistake("/* c", in: .json, .comment, 0, "1:1", "a value", "a comment", "JSON has no comments (RFC 8259)"),
            Mistake(
                "/* c", in: .jsonc, .unexpectedEnd, 0, "1:1", #""*/" at the end of the comment"#, "the end of the text"),
            Mistake(
                "[1, /* c", in: .json, .comment, 4, "1:5", "a value", "a comment", "JSON has no comments (RFC 8259)"),
            Mistake(
                "[1, /* c", in: .jsonc, .unexpectedEnd, 4, "1:5", #""*/" at the end of the comment"#,
                "the end of the text"),
            Mistake(
                #"{"a": 1 /* c"#, in: .json, .comment, 8, "1:9", #""," or "}""#, "a comment",
                "JSON has no comments (RFC 8259)"),
            Mistake(
                #"{"a": 1 /* c"#, in: .jsonc, .unexpectedEnd, 8, "1:9", #""*/" at the end of the comment"#,
                "the end of the text"),
            Mistake("/*/", in: .json, .comment, 0, "1:1", "a value", "a comment", "JSON has no comments (RFC 8259)"),
            Mistake(
                "/*/", in: .jsonc, .unexpectedEnd, 0, "1:1", #""*/" at the end of the comment"#, "the end of the text"),
            Mistake("// c", in: .json, .comment, 0, "1:1", "a value", "a comment", "JSON has no comments (RFC 8259)"),
            Mistake("// c", in: .jsonc, .unexpectedEnd, 4, "1:5", "a value", "the end of the text"),
            Mistake("/**/", in: .json, .comment, 0, "1:1", "a value", "a comment", "JSON has no comments (RFC 8259)"),
            Mistake("/**/", in: .jsonc, .unexpectedEnd, 4, "1:5", "a value", "the end of the text"),
        ])
    func comments(_ mistake: Mistake) { mistake.verify() }
}
