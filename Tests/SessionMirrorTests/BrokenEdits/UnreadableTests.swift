import TestSupport
import Testing

@Suite("Unreadable files", .needs(.setpriv)) struct UnreadableTests {
    /// A command that makes the file unreadable, and one that makes it readable again.
    struct AccessRestriction: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let restrict: String
        let allow: String
    }

    static let restrictions = [
        AccessRestriction(
            testDescription: "no read permission for the file",
            restrict: "exec 3<> s/server.json; chmod 000 s/server.json; put 3 >&3",
            allow: "chmod 644 s/server.json"),
        AccessRestriction(
            testDescription: "no search permission for the directory",
            restrict: "exec 3<> s/server.json; chmod 644 s; put 3 >&3", allow: "chmod 755 s"),
        AccessRestriction(
            testDescription: "no search permission for the parent directory",
            restrict: "exec 3<> s/server.json; chmod 644 .; put 3 >&3", allow: "chmod 755 ."),
        AccessRestriction(
            testDescription: "replaced by an unreadable file",
            restrict: "put 3 > new; chmod 000 new; mv new s/server.json",
            allow: "chmod 644 s/server.json"),
        AccessRestriction(
            testDescription: "directory replaced by an inaccessible one",
            restrict:
                "mkdir new; put 3 > new/server.json; chmod 644 new/server.json; chmod 700 new; mv s old; mv new s",
            allow: "chmod 755 s"),
    ]

    @Test("A file that becomes unreadable is reported once, and so is its recovery", arguments: restrictions)
    func becomesUnreadable(_ restriction: AccessRestriction) throws {
        let otherUser = try OtherUserProcess()
        try otherUser.environment.run(Self.good)
        let reports = try otherUser.report("s/server.json")
        #expect(try reports.line() == "port 1")
        try otherUser.environment.run(restriction.restrict)
        let problem = "problem unreadable s/server.json: error: Permission denied"
        #expect(try reports.line()?.hasPrefix(problem) == true)
        try checkRecovery(of: restriction, otherUser, reports)
    }

    @Test(
        "A session of a file that is unreadable at first has the defaults until it becomes readable",
        arguments: restrictions)
    func atFirst(_ restriction: AccessRestriction) throws {
        let otherUser = try OtherUserProcess()
        try otherUser.environment.run("\(Self.good); \(restriction.restrict)")
        let reports = try otherUser.report(otherUser.environment.folder.path(of: "s/server.json"))
        #expect(try reports.line() == "port 8080")
        #expect(try reports.line()?.hasPrefix("problem unreadable \(otherUser.environment.folder.path)") == true)
        try checkRecovery(of: restriction, otherUser, reports)
    }

    private static let good = "mkdir s; chmod 755 s; put 1 > s/server.json; chmod 644 s/server.json"

    /// Checks that the current content is loaded once it is readable, whichever event arrives first.
    private func checkRecovery(
        of restriction: AccessRestriction, _ otherUser: OtherUserProcess, _ reports: RunningProgram
    ) throws {
        try otherUser.environment.run(restriction.allow)
        let lines = [try reports.line(), try reports.line()]
        #expect(Set(lines) == ["port 3", "recovered unreadable"])
        try otherUser.environment.run("put 2 > s/server.json")
        #expect(try reports.line() == "port 2")
        #expect(try reports.end() == Program.Result(code: 0))
    }
}
