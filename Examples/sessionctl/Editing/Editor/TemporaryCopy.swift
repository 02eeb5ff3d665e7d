import DurableFiles
import FoundationEssentials
import Glibc
import LosslessJSON
import VisibleText

/// A copy of a file for the editor, in a private directory.
///
/// It has the name of the file, so that editors recognize its type. Swap files and backups of the editor are in the
/// same directory.
struct TemporaryCopy {
    let path: String
    private let folder: String
    private let original: [UInt8]

    init(of name: String, contents bytes: [UInt8]) throws(Failure) {
        let place = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        folder = try TemporaryCopy.newFolder(in: place.isEmpty ? "/tmp" : place)
        path = "\(folder)/\(name[(name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex)...])"
        original = bytes
        do throws(Failure) {
            try write(bytes)
            // Fails before the edit if the copy cannot be read back, for example in an untrusted TMPDIR.
            _ = try read()
        } catch {
            remove()
            throw error
        }
    }

    private static func newFolder(in place: String) throws(Failure) -> String {
        guard let resolved = realpath(place, nil) else { throw .systemError(place.visible, errorNumber: errno) }
        defer { free(resolved) }
        var template = Array("\(String(cString: resolved))/sessionctl-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .systemError(place.visible, errorNumber: errno) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func write(_ bytes: [UInt8]) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw .systemError(path.visible, errorNumber: errno) }
        defer { close(descriptor) }
        try Output(descriptor: descriptor, title: path.visible).write(bytes)
    }

    /// Reads the current contents.
    func read() throws(Failure) -> [UInt8] {
        try InputFile(path, hiding: []).read(limit: JSONDocument.Options().sizeLimit)
    }

    /// Replaces the text, and leaves the old one if that fails.
    func replace(with bytes: [UInt8]) throws(Failure) {
        do {
            try DurableFile(path).replace(limit: JSONDocument.Options().sizeLimit, options: .fast) { _ in bytes }
        } catch {
            throw Failure(ofReplacing: path.visible, error)
        }
    }

    /// The path of unsaved work: the copy if it was edited, else the directory if the editor left files in it.
    var unsavedPath: String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let isOriginal = (try? DurableFile(path).read(limit: original.count).bytes) == original
        if access(path, F_OK) == 0, !isOriginal { return path }
        return names.allSatisfy { "\(folder)/\($0)" == path } ? nil : folder
    }

    /// Removes the copy and its directory.
    func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
