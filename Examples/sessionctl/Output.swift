import Glibc

/// Where the program writes: without a buffer, all or nothing.
struct Output {
    private let descriptor: Int32
    private let title: String

    init(descriptor: Int32, title: String) { (self.descriptor, self.title) = (descriptor, title) }

    /// For answers.
    static let standard = Output(descriptor: STDOUT_FILENO, title: "standard output")

    /// For what is said about them.
    static let messages = Output(descriptor: STDERR_FILENO, title: "standard error")

    func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            let errorNumber = errno
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errorNumber == EPIPE {
                throw .unread
            } else if !Interruption.isOver(errorNumber, descriptor, waitingFor: POLLOUT) {
                throw .refused(title, errorNumber: errorNumber)
            }
        }
    }

    /// Writes lines. That nobody can read them changes nothing: the exit code says the same, shorter.
    func say(_ text: String) {
        do throws(Failure) { try write(text.visibleLines + "\n") } catch {}
    }
}
