import Glibc
import Testing

@testable import sessionctl

/// One at a time: the state of getopt belongs to the process.
@Suite("A scan of a command line", .serialized)
struct ArgumentScanTests {
    private static let options = [
        Option(name: "indent", letter: "i", value: "NUMBER", help: ""),
        Option(name: "in-place", help: ""),
        Option(name: "in", help: ""),
        Option(name: "verbose", letter: "v", help: ""),
        Option(name: "wait", letter: "w", help: ""),
    ]

    /// What a scan finds, in short: `v`, `indent=4`, `operand@2`; a refusal ends it.
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
                    case .operand(let text, let index): found.append("\(text)@\(index)")
                    }
                }
            } catch {
                if case .misused(let text) = error { found.append(text) }
            }
            return found
        }
    }

    @Test("finds options and operands in their order")
    func order() {
        #expect(
            ArgumentScanTests.scan(["a", "--verbose", "-", "--indent=4", "b"]) == [
                "a@1", "verbose", "-@3", "indent=4", "b@5",
            ])
        #expect(ArgumentScanTests.scan([]) == [])
    }

    @Test("finds values behind letters and names, in the same argument or the next")
    func values() {
        #expect(
            ArgumentScanTests.scan(["-i4", "-i", "4", "--indent", "4", "--indent="]) == [
                "indent=4", "indent=4", "indent=4", "indent=",
            ])
        #expect(ArgumentScanTests.scan(["-vwi4", "-wv"]) == ["verbose", "wait", "indent=4", "wait", "verbose"])
        #expect(ArgumentScanTests.scan(["--indent", "--", "-v"]) == ["indent=--", "verbose"])
    }

    @Test(
        "takes what begins like a negative number for an operand or a value",
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
        #expect(ArgumentScanTests.scan(["--", number, "-v"]) == ["\(number)@2", "-v@3"])
    }

    @Test("takes what only resembles a negative number for options")
    func noNegativeNumber() {
        #expect(ArgumentScanTests.scan(["-."]) == ["unknown option -."])
        #expect(ArgumentScanTests.scan(["-v-3"]) == ["verbose", "unknown option --"])
        #expect(ArgumentScanTests.scan(["--3"]) == ["unknown option --3"])
    }

    @Test("completes abbreviations, and prefers the name that is whole")
    func abbreviations() {
        #expect(
            ArgumentScanTests.scan(["--verb", "--ind=4", "--in", "--in-"]) == ["verbose", "indent=4", "in", "in-place"])
        #expect(ArgumentScanTests.scan(["--i"]) == ["the option --i is ambiguous: --indent, --in-place, --in"])
        #expect(ArgumentScanTests.scan(["--i=4"]) == ["the option --i is ambiguous: --indent, --in-place, --in"])
    }

    @Test("ends the options at --, which comes only once")
    func endOfOptions() {
        #expect(ArgumentScanTests.scan(["a", "--", "-v", "--", "--bogus"]) == ["a@1", "-v@3", "--@4", "--bogus@5"])
        #expect(ArgumentScanTests.scan(["--"]) == [])
    }

    @Test("says which option is wrong, and how")
    func mistakes() {
        #expect(
            ArgumentScanTests.scan(["-v", "--indent"]).last == "the option --indent needs a value: -i, --indent=NUMBER")
        #expect(ArgumentScanTests.scan(["-vi"]).last == "the option --indent needs a value: -i, --indent=NUMBER")
        #expect(ArgumentScanTests.scan(["--wait=3"]) == ["the option --wait takes no value"])
        #expect(ArgumentScanTests.scan(["-vx"]) == ["verbose", "unknown option -x"])
        #expect(ArgumentScanTests.scan(["--waiting"]) == ["unknown option --waiting; did you mean --wait?"])
    }

    @Test("forgets the scan before it, even one that ended inside an argument")
    func again() {
        #expect(ArgumentScanTests.scan(["-vxw"]) == ["verbose", "unknown option -x"])
        #expect(ArgumentScanTests.scan(["-v", "a"]) == ["verbose", "a@2"])
    }
}
