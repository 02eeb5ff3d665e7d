import Glibc
import TestSupport
import Testing

@Suite(
    "A process that is killed while it writes a file in place", .asRoot,
    .needs(.unshare, .mount, .setpriv, .chattr, .setfattr))
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
            #expect(torn.count > 1, "it was never killed in the middle")
            if let number = torn.last { try killMending(place, shell, from: old, to: new, tornBy: number) }
        }
        try shell.run(place.ending)
        try outcome.get()
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
