import DurableFiles
import Glibc

/// The real system calls, written down, and failing where a test wants it.
final class ScriptedCalls: FileCalls {
    enum Call: String, Hashable, CaseIterable {
        case open, close, look, lookAtPath, read, pause
    }

    /// All that were made, in order.
    private(set) var made: [Call] = []
    private(set) var pauses: [Int] = []
    /// What was opened and not closed.
    private(set) var openDescriptors: Set<Int32> = []
    /// The errors that the next calls of a kind end with, before any succeeds.
    var failures: [Call: [Int32]] = [:]
    /// How much one read may bring.
    var longestRead = Int.max
    /// What happens just before a call, which is given with how many of its kind there were.
    /// It must not go on holding these calls, or whatever holds them.
    var before: (Call, Int) -> Void = { _, _ in }

    private let kernel = Kernel()

    func count(of call: Call) -> Int { made.count { $0 == call } }

    private func begin(_ call: Call) throws(ErrorNumber) {
        made.append(call)
        before(call, count(of: call))
        guard let error = failures[call]?.first else { return }
        failures[call]?.removeFirst()
        throw ErrorNumber(error)
    }

    func open(_ path: String, _ flags: Int32) throws(ErrorNumber) -> Int32 {
        try begin(.open)
        let descriptor = try kernel.open(path, flags)
        openDescriptors.insert(descriptor)
        return descriptor
    }

    func close(_ descriptor: Int32) {
        try? begin(.close)
        openDescriptors.remove(descriptor)
        kernel.close(descriptor)
    }

    func status(of descriptor: Int32) throws(ErrorNumber) -> FileStatus {
        try begin(.look)
        return try kernel.status(of: descriptor)
    }

    func status(at path: String) throws(ErrorNumber) -> FileStatus {
        try begin(.lookAtPath)
        return try kernel.status(at: path)
    }

    func read(
        _ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(ErrorNumber) -> Int {
        try begin(.read)
        return try kernel.read(
            descriptor, at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(longestRead)))
    }

    func pause(milliseconds: Int) {
        try? begin(.pause)
        pauses.append(milliseconds)
    }
}
