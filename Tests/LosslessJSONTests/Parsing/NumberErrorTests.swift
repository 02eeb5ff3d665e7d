import LosslessJSON
import Testing

/// Numbers that are invalid in JSON.
@Suite struct NumberErrorTests {
    @Test(
        "An invalid number is reported at its first invalid character",
        arguments: [
            SyntaxErrorCase(
                "01", .unexpected, 1, "1:2", "nothing more after the value", #""1""#, "a number cannot start with 0"),
            SyntaxErrorCase(
                "-01", .unexpected, 2, "1:3", "nothing more after the value", #""1""#, "a number cannot start with 0"),
            SyntaxErrorCase("[007]", .unexpected, 2, "1:3", #""," or "]""#, #""07""#, "a number cannot start with 0"),
            SyntaxErrorCase("[00]", .unexpected, 2, "1:3", #""," or "]""#, #""0""#, "a number cannot start with 0"),
            SyntaxErrorCase("+1", .unexpected, 0, "1:1", "a value", #""+""#, "numbers have no plus sign"),
            SyntaxErrorCase(
                ".5", .unexpected, 0, "1:1", "a value", #"".5""#, "a number starts with a digit, as in 0.5"),
            SyntaxErrorCase("-.5", .number, 1, "1:2", "a digit", #"".5""#, "a number starts with a digit, as in -0.5"),
            SyntaxErrorCase(
                "5.", .unexpectedEnd, 2, "1:3", "a digit", "the end of the text",
                "a decimal point needs digits on both sides"),
            SyntaxErrorCase(
                "[5.]", .number, 3, "1:4", "a digit", #""]""#, "a decimal point needs digits on both sides"),
            SyntaxErrorCase(
                "[5.e1]", .number, 3, "1:4", "a digit", #""e1""#, "a decimal point needs digits on both sides"),
            SyntaxErrorCase("1e", .unexpectedEnd, 2, "1:3", "a digit", "the end of the text"),
            SyntaxErrorCase("[1e+]", .number, 4, "1:5", "a digit", #""]""#),
            SyntaxErrorCase("[1e+-1]", .number, 4, "1:5", "a digit", #""-""#),
            SyntaxErrorCase("-", .unexpectedEnd, 1, "1:2", "a digit", "the end of the text"),
            SyntaxErrorCase("[-]", .number, 2, "1:3", "a digit", #""]""#),
            SyntaxErrorCase("[- 1]", .number, 2, "1:3", "a digit", "a space"),
            SyntaxErrorCase("-NaN", .number, 1, "1:2", "a digit", #""NaN""#, "JSON has no such number"),
            SyntaxErrorCase("-Infinity", .number, 1, "1:2", "a digit", #""Infinity""#, "JSON has no such number"),
            SyntaxErrorCase("[--1]", .number, 2, "1:3", "a digit", #""-""#),
            SyntaxErrorCase(
                "0x10", .unexpected, 1, "1:2", "nothing more after the value", #""x10""#, "numbers are decimal"),
            SyntaxErrorCase("[0X10]", .unexpected, 2, "1:3", #""," or "]""#, #""X10""#, "numbers are decimal"),
            SyntaxErrorCase("1_000", .unexpected, 1, "1:2", "nothing more after the value", #""_000""#),
            SyntaxErrorCase("1,5", .unexpected, 1, "1:2", "nothing more after the value", #"",""#),
            SyntaxErrorCase("5f", .unexpected, 1, "1:2", "nothing more after the value", #""f""#),
            SyntaxErrorCase("1.5.2", .unexpected, 3, "1:4", "nothing more after the value", #"".2""#),
            SyntaxErrorCase("[1.5é]", .unexpected, 4, "1:5", #""," or "]""#, #""é" (U+00E9)"#),
        ])
    func numbers(_ mistake: SyntaxErrorCase) { mistake.verify() }
}
