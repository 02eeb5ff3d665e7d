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

    /// The bytes; of a file with more than `limit`, the first ones and one more.
    func read(limit: Int) throws(Failure) -> [UInt8] {
        if isStandardInput { return try read(STDIN_FILENO, expecting: 0, limit: limit) }
        // Not blocking: opening a FIFO would wait until somebody writes to it.
        let descriptor = open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw errno == ENXIO ? notRegular("a socket or a device") : refused(errno) }
        defer { close(descriptor) }
        return try read(descriptor, expecting: sizeOfRegularFile(descriptor), limit: limit)
    }

    private func sizeOfRegularFile(_ descriptor: Int32) throws(Failure) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw refused(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return Int(status.st_size)
        case S_IFDIR: throw refused(EISDIR)
        case S_IFIFO: throw notRegular("a pipe")
        default: throw notRegular("a device")
        }
    }

    /// To the end, wherever that is by now: the expected size only saves growing.
    private func read(_ descriptor: Int32, expecting size: Int, limit: Int) throws(Failure) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(min(size, limit) + 1)
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while result.count <= limit {
            let wanted = min(part.count, limit + 1 - result.count)
            let count = part.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, wanted) }
            let errorNumber = errno
            if count == 0 { break }
            if count > 0 {
                result.append(contentsOf: part.prefix(count))
            } else if !Interruption.isOver(errorNumber, descriptor, waitingFor: POLLIN) {
                throw refused(errorNumber)
            }
        }
        return result
    }

    private func refused(_ errorNumber: Int32) -> Failure { .refused(title, errorNumber: errorNumber) }

    private func notRegular(_ kind: String) -> Failure { .refused("\(title): Not a regular file but \(kind)") }
}
