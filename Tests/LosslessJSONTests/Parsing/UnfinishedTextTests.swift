import LosslessJSON
import Testing

/// Texts that end too early.
@Suite struct UnfinishedTextTests {
    @Test(
        "the end of the text is reported with what is still open",
        arguments: [
            Mistake("", .unexpectedEnd, 0, "1:1", "a value", "the end of the text"),
            Mistake("  ", .unexpectedEnd, 2, "1:3", "a value", "the end of the text"),
            Mistake("\n", .unexpectedEnd, 1, "2:1", "a value", "the end of the text"),
            Mistake("\u{FEFF}", .unexpectedEnd, 3, "1:1", "a value", "the end of the text"),
            Mistake(
                "[", .unexpectedEnd, 1, "1:2", "a value", "the end of the text",
                "the array that begins at 1:1 is not closed"),
            Mistake(
                "{", .unexpectedEnd, 1, "1:2", "a key in double quotes", "the end of the text",
                "the object that begins at 1:1 is not closed"),
            Mistake(
                #"{"a""#, .unexpectedEnd, 4, "1:5", #"":" after the key"#, "the end of the text",
                "the object that begins at 1:1 is not closed"),
            Mistake(
                #"{"a":"#, .unexpectedEnd, 5, "1:6", "a value", "the end of the text",
                "the object that begins at 1:1 is not closed"),
            Mistake(
                #"{"a": 1"#, .unexpectedEnd, 7, "1:8", #""," or "}""#, "the end of the text",
                "the object that begins at 1:1 is not closed"),
            Mistake(
                #"{"a": 1,"#, .unexpectedEnd, 8, "1:9", "a key in double quotes", "the end of the text",
                "the object that begins at 1:1 is not closed"),
            Mistake(
                "[1", .unexpectedEnd, 2, "1:3", #""," or "]""#, "the end of the text",
                "the array that begins at 1:1 is not closed"),
            Mistake(
                "[1,", .unexpectedEnd, 3, "1:4", "a value", "the end of the text",
                "the array that begins at 1:1 is not closed"),
            Mistake(
                #"{"a": {"b": [1, 2"#, .unexpectedEnd, 17, "1:18", #""," or "]""#, "the end of the text",
                "the array that begins at 1:13 is not closed"),
            Mistake(
                #"[{"a": 1}, {"b""#, .unexpectedEnd, 15, "1:16", #"":" after the key"#, "the end of the text",
                "the object that begins at 1:12 is not closed"),
            Mistake("nul", .unexpected, 0, "1:1", "a value", #""nul""#, "write null"),
        ])
    func unfinished(_ mistake: Mistake) { mistake.verify() }
}
