import Glibc
import TestSupport
import Testing

@Suite(
    "Recovery after a kill at every system call", .requiresRoot,
    .needs(.unshare, .mount, .setpriv, .chattr, .setfattr, .bindfs))
struct CrashTests {
    private static let short = "0123456789"
    private static let long = "the other version, which takes several writes"
    private static let writeSize = "MAX_WRITE=7"

    @Test(
        "The next process recovers a replacement that was killed before any of its system calls",
        arguments: CrashEnvironment.all, Sanitizer.isActive ? [true] : [true, false])
    func killed(environment: CrashEnvironment, grows: Bool) throws {
        let (old, new) = grows ? (Self.short, Self.long) : (Self.long, Self.short)
        let shell = try PrivateShell()
        let outcome = Result {
            try shell.run(environment.preparation)
            let torn = try killEverywhere(environment, shell, from: old, to: new)
            #expect(
                environment.canTear ? torn.count > 1 : torn.isEmpty,
                "the kills that left a partly written file: \(torn)")
            if let number = torn.last { try killRecovery(environment, shell, from: old, to: new, tornBy: number) }
        }
        try shell.run(environment.cleanup)
        try outcome.get()
        try shell.end()
    }

    @Test(
        "A process killed while it creates a file leaves no file or a complete one", arguments: CrashEnvironment.atomic)
    func creating(environment: CrashEnvironment) throws {
        let shell = try PrivateShell()
        try shell.run(environment.preparation)
        for number in 1... {
            try shell.run("rm there/a.json")
            let result = try shell.result(
                of: shell.probe(
                    "replace there/a.json '\(Self.long)'", as: .root, "\(Self.writeSize) KILL_AT_CALL=\(number)"))
            try #require(result.code == 0 || result.code == 128 + SIGKILL)
            let hadFile = try shell.result(of: "test -e there/a.json").code == 0
            // The next replacement removes the temporary files whether or not the file exists.
            let next = try shell.result(of: shell.probe("repair there/a.json"))
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

    /// Kills the process before each system call until a run completes. Returns the runs that left neither version.
    private func killEverywhere(
        _ environment: CrashEnvironment, _ shell: PrivateShell, from old: String, to new: String
    ) throws -> [Int] {
        var torn: [Int] = []
        for number in 1... {
            let result = try kill(environment, shell, at: number, from: old, to: new)
            if result.code == 0 {
                #expect(number > 20 && result.bytes == new)
                return torn
            }
            try #require(result.code == 128 + SIGKILL, "\(result.output)")
            if ![old, new].contains(result.bytes) {
                torn.append(number)
                #expect(try shell.backups().isEmpty != environment.usesBackupDirectory)
            }
            try repair(environment, shell, old, new, "killed before call \(number), which left \(result.bytes)")
        }
        return torn
    }

    /// Kills the recovery before each of its system calls.
    private func killRecovery(
        _ environment: CrashEnvironment, _ shell: PrivateShell, from old: String, to new: String, tornBy number: Int
    ) throws {
        for second in 1... {
            try #require(try kill(environment, shell, at: number, from: old, to: new).code == 128 + SIGKILL)
            let settings = "\(environment.settings) \(Self.writeSize) KILL_AT_CALL=\(second)"
            let code = try shell.result(of: shell.probe("repair there/a.json", as: environment.user, settings)).code
            try repair(environment, shell, old, new, "recovery was killed before call \(second)")
            if code == 0 { return }
        }
    }

    private func kill(
        _ environment: CrashEnvironment, _ shell: PrivateShell, at number: Int, from old: String, to new: String
    ) throws -> (code: Int32, output: String, bytes: String) {
        let settings = "\(environment.settings) \(Self.writeSize) KILL_AT_CALL=\(number)"
        try shell.run("printf '%s' '\(old)' > there/a.json")
        let result = try shell.result(of: shell.probe("replace there/a.json '\(new)'", as: environment.user, settings))
        return (result.code, result.output, try shell.run("cat there/a.json"))
    }

    /// Expects a consistent state after the next process has recovered.
    private func repair(
        _ environment: CrashEnvironment, _ shell: PrivateShell, _ old: String, _ new: String, _ comment: String
    ) throws {
        let result = try shell.result(
            of: shell.probe("repair there/a.json", as: environment.user, environment.settings))
        #expect(result.code == 0 && result.output.hasPrefix("unchanged, "), "\(comment): \(result.output)")
        #expect(try [old, new].contains(shell.run("cat there/a.json")), "\(comment)")
        #expect(try shell.names(in: "there") == ["a.json"] && shell.backups() == [], "\(comment)")
    }
}
