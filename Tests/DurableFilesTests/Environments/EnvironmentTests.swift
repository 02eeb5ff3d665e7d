import TestSupport
import Testing

@Suite("Replacing a file in different environments", .requiresRoot, .needs(.unshare, .mount, .setfattr))
struct EnvironmentTests {
    @Test(
        "A replacement on mounted file systems and bind-mounted files has the expected result",
        arguments: Environment.mounted)
    func mounted(environment: Environment) throws { try check(environment) }

    @Test(
        "A replacement restricted by permissions or file attributes has the expected result", .needs(.setpriv, .chattr),
        arguments: Environment.protected)
    func protected(environment: Environment) throws { try check(environment) }

    @Test("A replacement on a FUSE file system has the expected result", .needs(.bindfs), arguments: Environment.fuse)
    func fuse(environment: Environment) throws { try check(environment) }

    @Test(
        "A replacement on XFS and Btrfs has the expected result", .needsLoopDevices, .needs(.makeXFS, .makeBtrfs),
        arguments: Environment.loopMounted)
    func loopMounted(environment: Environment) throws { try check(environment) }

    @Test("The environments of the tests of replacements have different names")
    func count() {
        let all = Environment.mounted + Environment.protected + Environment.fuse + Environment.loopMounted
        print("replacements are tested in \(all.count) environments: \(all.map(\.name).joined(separator: "; "))")
        #expect(!all.isEmpty && Set(all.map(\.name)).count == all.count)
    }

    private func check(_ environment: Environment) throws {
        let shell = try PrivateShell()
        let outcome = Result {
            try shell.run(environment.preparation)
            try checkReplacing(environment, shell)
            try checkCreating(environment, shell)
            #expect(try shell.backups() == [])
        }
        try shell.run(environment.cleanup)
        try outcome.get()
        try shell.end()
    }

    private func checkReplacing(_ environment: Environment, _ shell: PrivateShell) throws {
        let file = "there/a.json"
        // Needs one page more than any of the old contents.
        let text = "the new version" + String(repeating: ", which is longer", count: 300)
        let before = try (metadataSummary: shell.metadataSummary(of: file), bytes: shell.run("cat \(file)"))
        let outcome = try shell.result(
            of: shell.probe("replace \(file) '\(text)'", as: environment.user, environment.settings))
        #expect(outcome.output == environment.replacing.output)
        #expect(outcome.code == environment.replacing.code)
        let bytes = try shell.run("cat \(file)")
        #expect(bytes == (outcome.code == 0 ? text : before.bytes), "\(bytes.prefix(100))")
        #expect(try shell.metadataSummary(of: file) == environment.metadataSummary(before.metadataSummary))
        #expect(try shell.names(in: "there") == (["a.json"] + environment.otherFiles).sorted())
    }

    private func checkCreating(_ environment: Environment, _ shell: PrivateShell) throws {
        let outcome = try shell.result(
            of: shell.probe("replace there/missing.json 'first'", as: environment.user, environment.settings))
        #expect(outcome.output == environment.creating.output)
        #expect(outcome.code == environment.creating.code)
        let names = ["a.json"] + environment.otherFiles + (outcome.code == 0 ? ["missing.json"] : [])
        #expect(try shell.names(in: "there") == names.sorted())
        guard outcome.code == 0 else { return }
        #expect(try shell.run("cat there/missing.json && stat -c %a there/missing.json") == "first600")
    }
}

extension Environment {
    /// Returns the expected metadata after the replacement.
    fileprivate func metadataSummary(_ before: String) -> String {
        guard let changedMetadata else { return before }
        let lines = before.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let name = lines[0].split(separator: " ").last!
        return (["\(changedMetadata) \(name)"] + lines.dropFirst().map(String.init)).joined(separator: "\n")
    }
}
