import DurableFiles
import Glibc
import LosslessJSON
import VisibleText

/// A file named on the command line; `-` is standard input.
struct InputFile {
    let name: String
    /// What messages about the file must not show.
    let secrets: JSONSecrets

    init(_ name: String, hiding secrets: JSONSecrets) { (self.name, self.secrets) = (name, secrets) }

    /// The files that the operands name. Throws if standard input is named twice.
    static func list(_ arguments: Arguments) throws(Failure) -> [InputFile] {
        let names = arguments.operands
        if names.count(where: { $0 == "-" }) > 1 { throw .usageError("standard input (-) can be read only once") }
        let secrets = try arguments.secrets
        return names.map { InputFile($0, hiding: secrets) }
    }

    var isStandardInput: Bool { name == "-" }

    /// Its name in messages.
    var title: String { isStandardInput ? "<stdin>" : name.isEmpty ? "\"\"" : name.visible }

    /// Reads the file; throws if it is larger than `limit`. Returns at most `limit` + 1 bytes of standard input.
    func read(limit: Int) throws(Failure) -> [UInt8] {
        if isStandardInput { return try readStandardInput(limit: limit) }
        do throws(FileError) {
            return try DurableFile(name).read(limit: limit).bytes
        } catch {
            if case .notRegular = error.code {
                throw .systemError("\(title): \(error.reason); to read it, write - and redirect it to standard input")
            }
            throw .unusable(error, title: title)
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
            } else if !RetryableError.shouldRetry(errorNumber, STDIN_FILENO, waitingFor: POLLIN) {
                throw .systemError(title, errorNumber: errorNumber)
            }
        }
        return result
    }
}

extension Failure {
    /// A file that exceeds the size limit is a negative result; all other errors are system errors.
    ///
    /// - Parameter directoryAdvice: What to do if the directory of the file is missing.
    static func unusable(_ error: FileError, title: String, directoryAdvice: String = mkdirAdvice) -> Failure {
        let isDirectoryMissing = error.code == .missing && error.directory != nil
        let advice = isDirectoryMissing ? directoryAdvice : error.advice
        let text = "\(title): \(error.reason)\(advice.map { "; \($0)" } ?? "")"
        if case .tooLarge = error.code { return .negative(text) }
        return .systemError(text)
    }

    static let mkdirAdvice = "create it with mkdir -p"
}
