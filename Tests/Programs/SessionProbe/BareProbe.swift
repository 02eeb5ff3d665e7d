import DurableFiles
import FileScripts
import Glibc
import LosslessJSON

/// Reads the same files as ``CrowdProbe`` without sessions, and keeps the same data: text, tree and value.
enum BareProbe {
    private final class LoadedFile {
        let document: JSONDocument
        let tenant: Crowd.Tenant

        init(_ path: String) throws {
            document = try JSONDocument(parsing: try DurableFile(path).read(limit: 1 << 20).bytes)
            tenant = try document.decode(Crowd.Tenant.self)
        }
    }

    static func run(_ paths: [String]) throws {
        let first = try LoadedFile(paths[0])
        say("begin")
        waitForLine()
        var all: [LoadedFile] = []
        for path in paths { all.append(try LoadedFile(path)) }
        say("opened")
        waitForLine()
        withExtendedLifetime((first, all)) {}
    }
}
