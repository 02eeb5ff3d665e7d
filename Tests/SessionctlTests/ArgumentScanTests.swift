import Glibc
import Testing

@testable import sessionctl

/// Serialized, because the state of getopt is global.
@Suite("Scanning of arguments", .serialized)
struct ArgumentScanTests {
    private static let options = [
        Option(name: "indent", letter: "i", value: "NUMBER", help: ""),
        Option(name: "in-place", help: ""),
        Option(name: "in", help: ""),
        Option(name: "verbose", letter: "v", help: ""),
        Option(name: "wait", letter: "w", help: ""),
    ]

    /// The results of a scan in short form: `v`, `indent=4`, `operand@2`; ends with the message of an error.
    private static func scan(_ arguments: [String]) -> [String] {
        var line = (["program"] + arguments).map { strdup($0) }
        line.append(nil)
        defer { for argument in line { free(argument) } }
        return line.withUnsafeMutableBufferPointer { line in
            var found: [String] = []
            do throws(Failure) {
                var scan = ArgumentScan(line.baseAddress!, count: Int32(line.count - 1), options: options)
                while let next = try scan.next() {
                    switch next {
                    case .option(let option, let value): found.append(option.name + (value.map { "=\($0)" } ?? ""))
                    case .operand(let text, let index, let isAfterDashes):
                        found.append("\(text)@\(index)\(isAfterDashes ? " --" : "")")
                    }
                }
            } catch {
                if case .usageError(let text) = error { found.append(text) }
            }
            return found
        }
    }

    @Test("Scanning arguments returns options and operands in their order")
    func order() {
        #expect(
            ArgumentScanTests.scan(["a", "--verbose", "-", "--indent=4", "b"]) == [
                "a@1", "verbose", "-@3", "indent=4", "b@5",
            ])
        #expect(ArgumentScanTests.scan([]) == [])
    }

    @Test("An option takes its value from the same argument or the next one")
    func values() {
        #expect(
            ArgumentScanTests.scan(["-i4", "-i", "4", "--indent", "4", "--indent="]) == [
                "indent=4", "indent=4", "indent=4", "indent=",
            ])
        #expect(ArgumentScanTests.scan(["-vwi4", "-wv"]) == ["verbose", "wait", "indent=4", "wait", "verbose"])
        #expect(ArgumentScanTests.scan(["--indent", "--", "-v"]) == ["indent=--", "verbose"])
    }

    @Test(
        "An argument that starts like a negative number is an operand or an option's value",
        arguments: ["-3", "-0", "-1.5e3", "-.5", "-12345678901234567890", "-1x"])
    func negativeNumber(number: String) {
        #expect(
            ArgumentScanTests.scan([number, "-v", number, number, "-w"]) == [
                "\(number)@1", "verbose", "\(number)@3", "\(number)@4", "wait",
            ])
        #expect(
            ArgumentScanTests.scan(["-i", number, "--indent", number, "--indent=\(number)", "-vi\(number)"]) == [
                "indent=\(number)", "indent=\(number)", "indent=\(number)", "verbose", "indent=\(number)",
            ])
        #expect(ArgumentScanTests.scan(["--", number, "-v"]) == ["\(number)@2 --", "-v@3 --"])
    }

    @Test("An argument that only resembles a negative number is an unknown option")
    func noNegativeNumber() {
        #expect(ArgumentScanTests.scan(["-."]) == ["unknown option -."])
        #expect(ArgumentScanTests.scan(["-v-3"]) == ["verbose", "unknown option --"])
        #expect(ArgumentScanTests.scan(["--3"]) == ["unknown option --3"])
    }

    @Test("An abbreviated option name is completed, and an exact name takes precedence")
    func abbreviations() {
        #expect(
            ArgumentScanTests.scan(["--verb", "--ind=4", "--in", "--in-"]) == ["verbose", "indent=4", "in", "in-place"])
        #expect(ArgumentScanTests.scan(["--i"]) == ["the option --i is ambiguous: --indent, --in-place, --in"])
        #expect(ArgumentScanTests.scan(["--i=4"]) == ["the option --i is ambiguous: --indent, --in-place, --in"])
    }

    @Test("Arguments after the first -- are operands")
    func endOfOptions() {
        #expect(
            ArgumentScanTests.scan(["a", "--", "-v", "--", "--bogus"]) == ["a@1", "-v@3 --", "--@4 --", "--bogus@5 --"])
        #expect(ArgumentScanTests.scan(["--"]) == [])
    }

    @Test("An error names the invalid option and the reason")
    func errors() {
        #expect(
            ArgumentScanTests.scan(["-v", "--indent"]).last == "the option --indent needs a value: -i, --indent=NUMBER")
        #expect(ArgumentScanTests.scan(["-vi"]).last == "the option --indent needs a value: -i, --indent=NUMBER")
        #expect(ArgumentScanTests.scan(["--wait=3"]) == ["the option --wait takes no value"])
        #expect(ArgumentScanTests.scan(["-vx"]) == ["verbose", "unknown option -x"])
        #expect(ArgumentScanTests.scan(["--waiting"]) == ["unknown option --waiting; did you mean --wait?"])
    }

    @Test("A scan after a failed scan starts from the beginning")
    func again() {
        #expect(ArgumentScanTests.scan(["-vxw"]) == ["verbose", "unknown option -x"])
        #expect(ArgumentScanTests.scan(["-v", "a"]) == ["verbose", "a@2"])
    }
}
