import TestSupport
import Testing

@Suite("Replacing a file", .asRoot, .needs(.unshare, .mount, .setfattr))
struct EnvironmentTests {
    @Test("on what is mounted", arguments: Environment.mounted)
    func mounted(environment: Environment) throws { try check(environment) }

    @Test("where rights and protection forbid something", .needs(.setpriv, .chattr), arguments: Environment.protected)
    func protected(environment: Environment) throws { try check(environment) }

    @Test("on a file system that is a program", .needs(.bindfs), arguments: Environment.fuse)
    func fuse(environment: Environment) throws { try check(environment) }

    @Test("on other disks", .needsLoopDevices, .needs(.makeXFS, .makeBtrfs), arguments: Environment.loopMounted)
    func loopMounted(environment: Environment) throws { try check(environment) }

    @Test("is looked at in each of 23 environments")
    func count() {
        let all = Environment.mounted + Environment.protected + Environment.fuse + Environment.loopMounted
        print("replacing is tested in \(all.count) environments: \(all.map(\.name).joined(separator: "; "))")
        #expect(all.count == 23)
        #expect(Set(all.map(\.name)).count == all.count)
    }

    private func check(_ environment: Environment) throws {
        let shell = try PrivateShell()
        let outcome = Result {
            try shell.run(environment.preparation)
            try checkReplacing(environment, shell)
            try checkCreating(environment, shell)
            #expect(try shell.copies() == [])
        }
        try shell.run(environment.ending)
        try outcome.get()
        try shell.end()
    }

    private func checkReplacing(_ environment: Environment, _ shell: PrivateShell) throws {
        let file = "there/a.json"
        // Needs a page more than any of the old ones.
        let text = "the new version" + String(repeating: ", which is longer", count: 300)
        let before = try (portrait: shell.portrait(of: file), bytes: shell.run("cat \(file)"))
        let outcome = try shell.result(
            of: shell.probe("replace \(file) '\(text)'", as: environment.user, environment.settings))
        #expect(outcome.output == environment.replacing.words)
        #expect(outcome.code == environment.replacing.code)
        let bytes = try shell.run("cat \(file)")
        #expect(bytes == (outcome.code == 0 ? text : before.bytes), "\(bytes.prefix(100))")
        #expect(try shell.portrait(of: file) == environment.portrait(before.portrait))
        #expect(try shell.names(in: "there") == (["a.json"] + environment.neighbours).sorted())
    }

    private func checkCreating(_ environment: Environment, _ shell: PrivateShell) throws {
        let outcome = try shell.result(
            of: shell.probe("replace there/missing.json 'first'", as: environment.user, environment.settings))
        #expect(outcome.output == environment.creating.words)
        #expect(outcome.code == environment.creating.code)
        let names = ["a.json"] + environment.neighbours + (outcome.code == 0 ? ["missing.json"] : [])
        #expect(try shell.names(in: "there") == names.sorted())
        guard outcome.code == 0 else { return }
        #expect(try shell.run("cat there/missing.json && stat -c %a there/missing.json") == "first600")
    }
}

extension Environment {
    /// What it is to be after the replacement.
    fileprivate func portrait(_ before: String) -> String {
        guard let changedRights else { return before }
        let lines = before.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let name = lines[0].split(separator: " ").last!
        return (["\(changedRights) \(name)"] + lines.dropFirst().map(String.init)).joined(separator: "\n")
    }
}
