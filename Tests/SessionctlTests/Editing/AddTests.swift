import TestSupport
import Testing

@Suite("sessionctl add")
struct AddTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a.json", "{ \"hits\": 41, /* so far */ \"share\": 0.1, \"name\": \"x\" }\n")
    }

    @Test(
        "add computes the sum exactly and prints it",
        arguments: [
            ("hits", "1", "42"), ("hits", "-41", "0"), ("hits", "-42.5", "-1.5"), ("share", "0.2", "0.3"),
            ("share", "-0.10", "0.00"), ("share", "1e3", "1000.1"), ("share", "1E-2", "0.11"),
            ("none.at.all", "7", "7"),
            ("hits", "99999999999999999999999999999999999999", "100000000000000000000000000000000000040"),
            ("hits", "-100", "-59"), ("hits", "0", "41"),
        ])
    func sums(path: String, number: String, sum: String) throws {
        #expect(
            try folder.sessionctl("add", "a.json", path, number) == Program.Result(code: 0, output: "\(sum)\n"))
        #expect(try folder.sessionctl("get", "a.json", path).output == "\(sum)\n")
        #expect(try folder.read("a.json").contains("/* so far */"))
    }

    @Test("Concurrent add commands lose no increment") func concurrent() throws {
        let result = try folder.shell(
            """
            for process in 1 2 3 4; do (for step in $(seq 25); do "$0" add a.json hits 1 >/dev/null || exit 1; done) & done
            wait
            "$0" get a.json hits; ls -A
            """)
        #expect(result == Program.Result(code: 0, output: "141\na.json\n"))
    }

    @Test("add creates a missing file and edits standard input") func created() throws {
        #expect(try folder.sessionctl("add", "new.json", "count", "2").output == "2\n")
        #expect(try folder.read("new.json") == "{\n  \"count\": 2\n}\n")
        let piped = try folder.sessionctl("add", "-", "a", "2", input: Array("{\"a\":1} // x".utf8))
        #expect(piped == Program.Result(code: 0, output: "{\"a\":3} // x"))
    }

    @Test(
        "add rejects numbers with huge exponents and leaves the file unchanged",
        arguments: ["1e", "1e-", "1e+", "0e-", "-1.5e-"].flatMap { start in
            [
                "9223372036854775808", "9223372036854775807", "9223372036854775809", "18446744073709551616", "10000",
                String(repeating: "9", count: 1_000),
            ].map { start + $0 }
        })
    func exponents(number: String) throws {
        let result = try folder.sessionctl("add", "a.json", "hits", number)
        #expect(result.code == 1 && result.messages.contains("too many digits"), "\(result)")
        try folder.write("b.json", "{\"huge\": \(number)}")
        #expect(try folder.sessionctl("add", "b.json", "huge", "1").code == 1)
        #expect(try folder.read("b.json") == "{\"huge\": \(number)}")
    }

    @Test("add computes sums with the largest allowed exponents") func largestExponents() throws {
        #expect(try folder.sessionctl("add", "a.json", "hits", "1e9999").output.utf8.count == 10_001)
        #expect(try folder.sessionctl("add", "a.json", "share", "1e-9999").output.utf8.count == 10_002)
        #expect(try folder.sessionctl("add", "a.json", "name.x", "1").code == 1)
    }

    @Test("add rejects operands that are not numbers or have too many digits") func errors() throws {
        #expect(try folder.sessionctl("add", "a.json", "hits", "one").code == 2)
        #expect(try folder.sessionctl("add", "a.json", "hits", "+1").code == 2)
        for (number, reason) in [
            ("+1", ": expected a value, found \"+\"; numbers have no plus sign"),
            (".5", ": expected a value, found \".5\"; a number starts with a digit, as in 0.5"), ("one", ""),
        ] {
            let result = try folder.sessionctl("add", "a.json", "hits", number)
            #expect(result.messages.hasPrefix("sessionctl: \(number) is not a number\(reason)\n"), "\(result)")
        }
        let name = try folder.sessionctl("add", "a.json", "name", "1")
        #expect(name == Program.Result(code: 1, messages: "sessionctl: a.json: name is a string, not a number\n"))
        #expect(try folder.sessionctl("add", "a.json", "hits", "1e999999").code == 1)
        #expect(try folder.sessionctl("add", "a.json", "", "1").code == 1)
    }
}
