import DurableFiles
import FoundationEssentials
import Glibc
import LosslessJSON

/// A copy of a file for an editor, in a folder of its own that nobody else can enter.
///
/// It has the file's name, so that editors know what it is. What they put beside it, such as swap files and backups, is
/// in that folder too.
struct PrivateCopy {
    let path: String
    private let folder: String
    private let beginning: [UInt8]

    init(of name: String, holding bytes: [UInt8]) throws(Failure) {
        let place = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        folder = try PrivateCopy.newFolder(in: place.isEmpty ? "/tmp" : place)
        path = "\(folder)/\(name[(name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex)...])"
        beginning = bytes
        do throws(Failure) {
            try write(bytes)
        } catch {
            remove()
            throw error
        }
    }

    private static func newFolder(in place: String) throws(Failure) -> String {
        guard let resolved = realpath(place, nil) else { throw .refused(place.visible, errorNumber: errno) }
        defer { free(resolved) }
        var template = Array("\(String(cString: resolved))/sessionctl-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .refused(place.visible, errorNumber: errno) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func write(_ bytes: [UInt8]) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw .refused(path.visible, errorNumber: errno) }
        defer { close(descriptor) }
        try Output(descriptor: descriptor, title: path.visible).write(bytes)
    }

    /// What it holds now.
    func read() throws(Failure) -> [UInt8] {
        try InputFile(path).read(limit: JSONDocument.Options().sizeLimit)
    }

    /// Where something is that a person may miss; nil where nothing was written to it, nor left beside it.
    var remains: String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let hasBeginning = (try? DurableFile(path).read(limit: beginning.count).bytes) == beginning
        if access(path, F_OK) == 0, !hasBeginning { return path }
        return names.allSatisfy { "\(folder)/\($0)" == path } ? nil : folder
    }

    /// Removes it with all that is beside it.
    func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
