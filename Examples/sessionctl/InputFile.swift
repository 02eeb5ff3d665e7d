import DurableFiles
import Glibc

/// A file that is named on the command line; `-` is standard input.
struct InputFile {
    private let name: String

    init(_ name: String) { self.name = name }

    /// The files that are named. Standard input can be among them once.
    static func list(_ names: [String]) throws(Failure) -> [InputFile] {
        if names.count(where: { $0 == "-" }) > 1 { throw .misused("standard input (-) can be read only once") }
        return names.map(InputFile.init)
    }

    private var isStandardInput: Bool { name == "-" }

    /// What it is called in messages.
    var title: String { isStandardInput ? "<stdin>" : name.visible }

    /// The bytes. More than `limit` are refused; of standard input the first ones come, and one more.
    func read(limit: Int) throws(Failure) -> [UInt8] {
        if isStandardInput { return try readStandardInput(limit: limit) }
        do throws(FileError) {
            return try DurableFile(name).read(limit: limit).bytes
        } catch {
            throw .unusable(error)
        }
    }

    private func readStandardInput(limit: Int) throws(Failure) -> [UInt8] {
        var result: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while result.count <= limit {
            let wanted = min(part.count, limit + 1 - result.count)
            let count = part.withUnsafeMutableBytes { Glibc.read(STDIN_FILENO, $0.baseAddress, wanted) }
            let errorNumber = errno
            if count == 0 { break }
            if count > 0 {
                result.append(contentsOf: part.prefix(count))
            } else if !Interruption.isOver(errorNumber, STDIN_FILENO, waitingFor: POLLIN) {
                throw .refused(title, errorNumber: errorNumber)
            }
        }
        return result
    }
}

extension Failure {
    /// A file that is too large is no JSON that this program reads; anything else is for the system to say.
    static func unusable(_ error: FileError, title: String? = nil) -> Failure {
        let advice = error.advice.map { "; \($0)" } ?? ""
        let text = title.map { "\($0): \(error.reason)\(advice)" } ?? error.description
        if case .tooLarge = error.code { return .no(text) }
        return .refused(text)
    }
}
