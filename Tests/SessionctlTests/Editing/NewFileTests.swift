import TestSupport
import Testing

@Suite("Permissions of a file that sessionctl creates") struct NewFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "A new file has the permissions that the umask leaves of 0666",
        arguments: [("022", "644"), ("0", "666"), ("027", "640"), ("077", "600")])
    func created(umask: String, permissions: String) throws {
        let result = try folder.shell(
            #"""
            umask \#(umask); "$0" set set.json a 1 && "$0" add add.json a 1 &&
            EDITOR="sed -i s/{}/[]/" "$0" edit edit.json && stat -c %a set.json add.json edit.json
            """#)
        #expect(result.code == 0)
        #expect(result.output == "1\n" + String(repeating: "\(permissions)\n", count: 3))
    }

    @Test("An existing file keeps its permissions") func existing() throws {
        try folder.write("a.json", "{}")
        let result = try folder.shell(#"chmod 604 a.json; umask 077; "$0" set a.json a 1; stat -c %a a.json"#)
        #expect(result.output == "604\n")
    }
}
