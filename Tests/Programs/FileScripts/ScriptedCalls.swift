package import DurableFiles
import Glibc

/// Makes the real system calls, records them, and lets tests make them fail.
package final class ScriptedCalls: FileCalls {
    package enum Call: String, Hashable, CaseIterable, Sendable {
        case close, status, statusOfPath, read, pause
        case write, setSize, synchronizeData
        case openIn, openWithoutLinks, openUnnamed, name, statusOfName, target, requireWritable, createDirectory, list,
            exchange, rename
        case renameToUnused, link, remove, synchronize, lock, unlock
        case setOwner, setPermissions, attributeNames, attribute, setAttribute, removeAttribute
        case setLease, lease, setLeaseSignal, setSignalReceiver
    }

    /// All calls in order.
    package private(set) var made: [Call] = []
    /// The calls without those for the directories of the path, which only a process of root makes.
    package var callsOnFile: [Call] { made.filter { $0 != .statusOfName } }
    package private(set) var pauses: [Int] = []
    /// The descriptors that are open.
    package private(set) var openDescriptors: Set<Int32> = []
    /// The `errno` values of the next calls of each kind; the calls after these succeed.
    package var failures: [Call: [Int32]] = [:]
    /// The maximum size of one read or write.
    package var longestRead = Int.max
    package var longestWrite = Int.max
    /// The simulated file size limit, at most the real one.
    package var largestFile: Int {
        get { min(smallerLimit, kernel.largestFile) }
        set { smallerLimit = newValue }
    }
    private var smallerLimit = Int.max
    /// Whether pauses take real time.
    package var pausesForReal = false
    /// The offset of both clocks: simulated pauses, and what a test adds.
    package var clockOffset = 0
    /// The offset of the monotonic clock only.
    package var monotonicClockOffset = 0
    package var monotonicMicroseconds: Int { kernel.monotonicMicroseconds + clockOffset + monotonicClockOffset }
    package var now: FileTime { kernel.now.adding(microseconds: clockOffset) }
    /// Whether the monotonic clock stops while `before` and `after` run: for tests that start programs there, so that limits
    /// of time do not depend on how fast that is.
    package var stopsClockInClosures = false
    /// Whether calls are recorded; off for tests that make millions of them.
    package var recordsCalls = true
    /// Runs before each call, with the number of calls of its kind so far. It must not retain this object or its owner
    /// permanently.
    package var before: (Call, Int) -> Void = { _, _ in }
    /// Runs after each successful call.
    package var after: (Call, Int) -> Void = { _, _ in }

    /// The user that a process of root pretends to be, without privileges, for trust decisions.
    package var actingUser: UInt32?

    private var counts: [Call: Int] = [:]
    let kernel = Kernel.shared

    package init() {}

    /// Removes the closures and releases what they retain.
    package func forget() {
        before = { _, _ in }
        after = { _, _ in }
    }

    package func count(of call: Call) -> Int { counts[call] ?? 0 }

    /// Records a call, then makes it or throws the next failure that the test has chosen.
    func run<Result>(
        _ call: Call, _ body: (Kernel) throws(ErrorNumber) -> Result
    ) throws(ErrorNumber) -> Result {
        if recordsCalls { made.append(call) }
        counts[call, default: 0] += 1
        let number = count(of: call)
        leavingOutTime { before(call, number) }
        if let error = failures[call]?.first {
            failures[call]?.removeFirst()
            throw ErrorNumber(error)
        }
        let result = try body(kernel)
        leavingOutTime { after(call, number) }
        return result
    }

    private func leavingOutTime(_ body: () -> Void) {
        guard stopsClockInClosures else { return body() }
        let start = kernel.monotonicMicroseconds
        body()
        monotonicClockOffset -= kernel.monotonicMicroseconds - start
    }

    /// Makes a call that opens a descriptor.
    func opening(
        _ call: Call, _ body: (Kernel) throws(ErrorNumber) -> Int32
    ) throws(ErrorNumber) -> Int32 {
        let descriptor = try run(call, body)
        openDescriptors.insert(descriptor)
        return descriptor
    }
}

extension ScriptedCalls {
    package func close(_ descriptor: Int32) {
        try? run(.close) { kernel in
            openDescriptors.remove(descriptor)
            kernel.close(descriptor)
        }
    }

    package func status(of descriptor: Int32) throws(ErrorNumber) -> FileStatus {
        try run(.status) { (kernel) throws(ErrorNumber) in try kernel.status(of: descriptor) }
    }

    package func status(at path: String) throws(ErrorNumber) -> FileStatus {
        try run(.statusOfPath) { (kernel) throws(ErrorNumber) in try kernel.status(at: path) }
    }

    package func read(
        _ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(ErrorNumber) -> Int {
        try run(.read) { (kernel) throws(ErrorNumber) in
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(longestRead))
            return try kernel.read(descriptor, at: offset, into: part)
        }
    }

    package func pause(microseconds: Int) {
        try? run(.pause) { kernel in
            if recordsCalls { pauses.append(microseconds) }
            if pausesForReal { kernel.pause(microseconds: microseconds) } else { clockOffset += microseconds }
        }
    }

    package func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int
    ) throws(ErrorNumber) -> Int {
        try run(.write) { (kernel) throws(ErrorNumber) in
            let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(longestWrite))
            return try kernel.write(part, to: descriptor, at: offset)
        }
    }

    package func setSize(of descriptor: Int32, to size: Int) throws(ErrorNumber) {
        try run(.setSize) { (kernel) throws(ErrorNumber) in try kernel.setSize(of: descriptor, to: size) }
    }

    package func synchronizeData(of descriptor: Int32) throws(ErrorNumber) {
        try run(.synchronizeData) { (kernel) throws(ErrorNumber) in try kernel.synchronizeData(of: descriptor) }
    }
}
