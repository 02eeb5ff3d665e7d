import LosslessJSON
import Testing

/// Numbers that JSON spells differently, or does not have.
@Suite struct NumberMistakeTests {
    @Test(
        "a wrong spelling of a number is reported at the first wrong character",
        arguments: [
            Mistake(
                "01", .unexpected, 1, "1:2", "nothing more after the value", #""1""#, "a number does not begin with 0"),
            Mistake(
                "-01", .unexpected, 2, "1:3", "nothing more after the value", #""1""#, "a number does not begin with 0"),
            Mistake("[007]", .unexpected, 2, "1:3", #""," or "]""#, #""07""#, "a number does not begin with 0"),
            Mistake("[00]", .unexpected, 2, "1:3", #""," or "]""#, #""0""#, "a number does not begin with 0"),
            Mistake("+1", .unexpected, 0, "1:1", "a value", #""+""#, "numbers have no plus sign"),
            Mistake(".5", .unexpected, 0, "1:1", "a value", #"".5""#, "a number begins with a digit, as in 0.5"),
            Mistake("-.5", .number, 1, "1:2", "a digit", #"".5""#, "a number begins with a digit, as in -0.5"),
            Mistake(
                "5.", .unexpectedEnd, 2, "1:3", "a digit", "the end of the text",
                "digits stand on both sides of the point"),
            Mistake("[5.]", .number, 3, "1:4", "a digit", #""]""#, "digits stand on both sides of the point"),
            Mistake("[5.e1]", .number, 3, "1:4", "a digit", #""e1""#, "digits stand on both sides of the point"),
            Mistake("1e", .unexpectedEnd, 2, "1:3", "a digit", "the end of the text"),
            Mistake("[1e+]", .number, 4, "1:5", "a digit", #""]""#),
            Mistake("[1e+-1]", .number, 4, "1:5", "a digit", #""-""#),
            Mistake("-", .unexpectedEnd, 1, "1:2", "a digit", "the end of the text"),
            Mistake("[-]", .number, 2, "1:3", "a digit", #""]""#),
            Mistake("[- 1]", .number, 2, "1:3", "a digit", "a space"),
            Mistake("-NaN", .number, 1, "1:2", "a digit", #""NaN""#, "JSON has no such number"),
            Mistake("-Infinity", .number, 1, "1:2", "a digit", #""Infinity""#, "JSON has no such number"),
            Mistake("[--1]", .number, 2, "1:3", "a digit", #""-""#),
            Mistake("0x10", .unexpected, 1, "1:2", "nothing more after the value", #""x10""#, "numbers are decimal"),
            Mistake("[0X10]", .unexpected, 2, "1:3", #""," or "]""#, #""X10""#, "numbers are decimal"),
            Mistake("1_000", .unexpected, 1, "1:2", "nothing more after the value", #""_000""#),
            Mistake("1,5", .unexpected, 1, "1:2", "nothing more after the value", #"",""#),
            Mistake("5f", .unexpected, 1, "1:2", "nothing more after the value", #""f""#),
            Mistake("1.5.2", .unexpected, 3, "1:4", "nothing more after the value", #"".2""#),
            Mistake("[1.5é]", .unexpected, 4, "1:5", #""," or "]""#, #""é" (U+00E9)"#),
        ])
    func numbers(_ mistake: Mistake) { mistake.verify() }
}
