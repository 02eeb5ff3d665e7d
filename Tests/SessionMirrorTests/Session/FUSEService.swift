import TestSupport
import Testing

/// A service and the FUSE file system of its file `mounted/a.json`, in a mount namespace of their own. A stopped server is a
/// disk that does not respond.
struct FUSEService {
    let service: RunningProgram
    /// The process of the file system.
    let server: Int32

    init(in folder: TemporaryFolder) throws {
        for name in ["source", "mounted"] { try folder.createFolder(name) }
        try folder.write("source/a.json", "{ \"a\": 1 }\n")
        let probe = Program.built("SessionProbe").path
        service = try Programs.unshare.program.start(
            [
                "--mount", "sh", "-c",
                """
                bindfs -f source mounted & echo $! > server
                until grep -q " $PWD/mounted " /proc/self/mountinfo; do sleep 0.01; done
                '\(probe)' service mounted/a.json
                umount mounted
                """,
            ], in: folder, input: .lines)
        #expect(try service.line() == "begun")
        server = try #require(Int32(try folder.read("server").split(separator: "\n")[0]))
    }
}
