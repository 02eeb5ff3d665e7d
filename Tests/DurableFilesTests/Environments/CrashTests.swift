import Glibc
import TestSupport
import Testing

@Suite(
    "A process that is killed while it replaces a file", .asRoot,
    .needs(.unshare, .mount, .setpriv, .chattr, .setfattr, .bindfs))
struct CrashTests {
    private static let short = "0123456789"
    private static let long = "the other version, which takes several writes"
    private static let piece = "PIECE=7"

    @Test("leaves what the next one mends, wherever it is killed", arguments: CrashPlace.all, [true, false])
    func killed(place: CrashPlace, grows: Bool) throws {
        let (old, new) = grows ? (Self.short, Self.long) : (Self.long, Self.short)
        let shell = try PrivateShell()
        let outcome = Result {
            try shell.run(place.preparation)
            let torn = try killEverywhere(place, shell, from: old, to: new)
            #expect(
                place.tears ? torn.count > 1 : torn.isEmpty,
                "it was not killed in the middle, or left half a file: \(torn)")
            if let number = torn.last { try killMending(place, shell, from: old, to: new, tornBy: number) }
        }
        try shell.run(place.ending)
        try outcome.get()
        try shell.end()
    }

    @Test("leaves no file or a whole one where it was to be created", arguments: CrashPlace.whole)
    func creating(place: CrashPlace) throws {
        let shell = try PrivateShell()
        try shell.run(place.preparation)
        for number in 1... {
            try shell.run("rm there/a.json")
            let result = try shell.result(
                of: shell.probe("replace there/a.json '\(Self.long)'", as: .root, "\(Self.piece) DEATH_AT=\(number)"))
            try #require(result.code == 0 || result.code == 128 + SIGKILL)
            let hadFile = try shell.result(of: "test -e there/a.json").code == 0
            // Whether the file is there or not, the next one clears away what is beside it.
            let next = try shell.result(of: shell.probe("mend there/a.json"))
            #expect(next.output.hasSuffix("no file") == !hadFile && next.code == 0, "\(number): \(next.output)")
            #expect(try shell.names(in: "there") == (hadFile ? ["a.json"] : []), "\(number)")
            if hadFile {
                #expect(try shell.run("cat there/a.json") == Self.long)
            } else {
                try shell.run("touch there/a.json")
            }
            if result.code == 0 { break }
        }
        try shell.end()
    }

    /// Before each system call, until one run lives to its end. Returns those that left neither version.
    private func killEverywhere(
        _ place: CrashPlace, _ shell: PrivateShell, from old: String, to new: String
    ) throws -> [Int] {
        var torn: [Int] = []
        for number in 1... {
            let death = try kill(place, shell, at: number, from: old, to: new)
            if death.code == 0 {
                #expect(number > 20 && death.bytes == new)
                return torn
            }
            try #require(death.code == 128 + SIGKILL, "\(death.words)")
            if ![old, new].contains(death.bytes) {
                torn.append(number)
                #expect(try shell.copies().isEmpty != place.keepsCopiesElsewhere)
            }
            try mend(place, shell, old, new, "killed before call \(number), which left \(death.bytes)")
        }
        return torn
    }

    /// The mending itself is killed before each of its system calls.
    private func killMending(
        _ place: CrashPlace, _ shell: PrivateShell, from old: String, to new: String, tornBy number: Int
    ) throws {
        for second in 1... {
            try #require(try kill(place, shell, at: number, from: old, to: new).code == 128 + SIGKILL)
            let settings = "\(place.settings) \(Self.piece) DEATH_AT=\(second)"
            let code = try shell.result(of: shell.probe("mend there/a.json", as: place.user, settings)).code
            try mend(place, shell, old, new, "mending was killed before call \(second)")
            if code == 0 { return }
        }
    }

    private func kill(
        _ place: CrashPlace, _ shell: PrivateShell, at number: Int, from old: String, to new: String
    ) throws -> (code: Int32, words: String, bytes: String) {
        let settings = "\(place.settings) \(Self.piece) DEATH_AT=\(number)"
        try shell.run("printf '%s' '\(old)' > there/a.json")
        let result = try shell.result(of: shell.probe("replace there/a.json '\(new)'", as: place.user, settings))
        return (result.code, result.output, try shell.run("cat there/a.json"))
    }

    /// Nothing may be wrong after the next process has looked.
    private func mend(
        _ place: CrashPlace, _ shell: PrivateShell, _ old: String, _ new: String, _ comment: String
    ) throws {
        let result = try shell.result(of: shell.probe("mend there/a.json", as: place.user, place.settings))
        #expect(result.code == 0 && result.output.hasPrefix("unchanged, "), "\(comment): \(result.output)")
        #expect(try [old, new].contains(shell.run("cat there/a.json")), "\(comment)")
        #expect(try shell.names(in: "there") == ["a.json"] && shell.copies() == [], "\(comment)")
    }
}
