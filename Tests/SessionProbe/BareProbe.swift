import DurableFiles
import FileScripts
import Glibc
import LosslessJSON

/// Reads the files as the sessions of ``CrowdProbe`` do and keeps what they keep of the data: text, tree and value.
enum BareProbe {
    private final class Kept {
        let document: JSONDocument
        let tenant: Crowd.Tenant

        init(_ path: String) throws {
            document = try JSONDocument(parsing: try DurableFile(path).read(limit: 1 << 20).bytes)
            tenant = try document.decode(Crowd.Tenant.self)
        }
    }

    static func run(_ paths: [String]) throws {
        let first = try Kept(paths[0])
        say("begin")
        waitForLine()
        var all: [Kept] = []
        for path in paths { all.append(try Kept(path)) }
        say("opened")
        waitForLine()
        withExtendedLifetime((first, all)) {}
    }
}
