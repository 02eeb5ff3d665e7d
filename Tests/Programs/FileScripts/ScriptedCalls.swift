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
    /// Whether calls are recorded; off for tests that make millions of them.
    package var recordsCalls = true
    /// Runs before each call, with the number of calls of its kind so far. It must not retain this object or its owner
    /// permanently. The time it takes does not count on the monotonic clock: it may start programs, and limits of time are
    /// not to depend on how fast that is.
    package var before: (Call, Int) -> Void = { _, _ in }
    /// Runs after each successful call. The time it takes does not count either.
    package var after: (Call, Int) -> Void = { _, _ in }

    /// The user that a process of root pretends to be, without privileges, for trust decisions.
    package var actingUser: UInt32?

    private var counts: [Call: Int] = [:]
    private let kernel = Kernel.shared

    package init() {}

    /// Removes the closures and releases what they retain.
    package func forget() {
        before = { _, _ in }
        after = { _, _ in }
    }

    package func count(of call: Call) -> Int { counts[call] ?? 0 }

    private func run<Result>(
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
        let start = kernel.monotonicMicroseconds
        body()
        monotonicClockOffset -= kernel.monotonicMicroseconds - start
    }

    private func opening(
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

extension ScriptedCalls {
    package func open(
        _ name: String, in folder: Int32, _ flags: Int32, permissions: UInt32
    ) throws(ErrorNumber) -> Int32 {
        try opening(.openIn) { (kernel) throws(ErrorNumber) in
            try kernel.open(name, in: folder, flags, permissions: permissions)
        }
    }

    package func openWithoutLinks(_ path: String, in folder: Int32, _ flags: Int32) throws(ErrorNumber) -> Int32 {
        try opening(.openWithoutLinks) { (kernel) throws(ErrorNumber) in
            try kernel.openWithoutLinks(path, in: folder, flags)
        }
    }

    package func openUnnamed(in folder: Int32) throws(ErrorNumber) -> Int32 {
        try opening(.openUnnamed) { (kernel) throws(ErrorNumber) in try kernel.openUnnamed(in: folder) }
    }

    package func name(_ descriptor: Int32, _ name: String, in folder: Int32) throws(ErrorNumber) {
        try run(.name) { (kernel) throws(ErrorNumber) in try kernel.name(descriptor, name, in: folder) }
    }

    package func status(of name: String, in folder: Int32) throws(ErrorNumber) -> FileStatus {
        try run(.statusOfName) { (kernel) throws(ErrorNumber) in try kernel.status(of: name, in: folder) }
    }

    package func target(of name: String, in folder: Int32) throws(ErrorNumber) -> [UInt8] {
        try run(.target) { (kernel) throws(ErrorNumber) in try kernel.target(of: name, in: folder) }
    }

    package func requireWritable(_ name: String, in folder: Int32) throws(ErrorNumber) {
        try run(.requireWritable) { (kernel) throws(ErrorNumber) in try kernel.requireWritable(name, in: folder) }
    }

    package func createDirectory(_ name: String, in folder: Int32, permissions: UInt32) throws(ErrorNumber) {
        try run(.createDirectory) { (kernel) throws(ErrorNumber) in
            try kernel.createDirectory(name, in: folder, permissions: permissions)
        }
    }

    package func names(in folder: Int32, beginningWith prefix: String) throws(ErrorNumber) -> [String] {
        try run(.list) { (kernel) throws(ErrorNumber) in try kernel.names(in: folder, beginningWith: prefix) }
    }

    package func exchange(_ name: String, _ other: String, in folder: Int32) throws(ErrorNumber) {
        try run(.exchange) { (kernel) throws(ErrorNumber) in try kernel.exchange(name, other, in: folder) }
    }

    package func rename(_ name: String, to newName: String, in folder: Int32) throws(ErrorNumber) {
        try run(.rename) { (kernel) throws(ErrorNumber) in try kernel.rename(name, to: newName, in: folder) }
    }

    package func rename(_ name: String, toUnused newName: String, in folder: Int32) throws(ErrorNumber) {
        try run(.renameToUnused) { (kernel) throws(ErrorNumber) in
            try kernel.rename(name, toUnused: newName, in: folder)
        }
    }

    package func link(_ name: String, to newName: String, in folder: Int32) throws(ErrorNumber) {
        try run(.link) { (kernel) throws(ErrorNumber) in try kernel.link(name, to: newName, in: folder) }
    }

    package func remove(_ name: String, in folder: Int32) throws(ErrorNumber) {
        try run(.remove) { (kernel) throws(ErrorNumber) in try kernel.remove(name, in: folder) }
    }

    package func remove(
        _ name: String, in folder: Int32, ifUnchangedSince moment: FileTime
    ) throws(ErrorNumber) -> RemovalResult {
        try run(.remove) { (kernel) throws(ErrorNumber) in
            try kernel.remove(name, in: folder, ifUnchangedSince: moment)
        }
    }

    package func hasExactTimes(_ folder: Int32) -> Bool { kernel.hasExactTimes(folder) }

    package func isAppendOnly(_ folder: Int32) -> Bool { kernel.isAppendOnly(folder) }

    package func synchronize(_ folder: Int32) throws(ErrorNumber) {
        try run(.synchronize) { (kernel) throws(ErrorNumber) in try kernel.synchronize(folder) }
    }

    package func lock(_ folder: Int32) throws(ErrorNumber) {
        try run(.lock) { (kernel) throws(ErrorNumber) in try kernel.lock(folder) }
    }

    package func unlock(_ folder: Int32) { try? run(.unlock) { $0.unlock(folder) } }
}

extension ScriptedCalls {
    package func setOwner(of descriptor: Int32, user: UInt32?, group: UInt32) throws(ErrorNumber) {
        try run(.setOwner) { (kernel) throws(ErrorNumber) in
            try kernel.setOwner(of: descriptor, user: user, group: group)
        }
    }

    package func setPermissions(of descriptor: Int32, to permissions: UInt32) throws(ErrorNumber) {
        try run(.setPermissions) { (kernel) throws(ErrorNumber) in
            try kernel.setPermissions(of: descriptor, to: permissions)
        }
    }

    package func attributeNames(of descriptor: Int32) throws(ErrorNumber) -> [String] {
        try run(.attributeNames) { (kernel) throws(ErrorNumber) in try kernel.attributeNames(of: descriptor) }
    }

    package func attribute(_ name: String, of descriptor: Int32) throws(ErrorNumber) -> [UInt8] {
        try run(.attribute) { (kernel) throws(ErrorNumber) in try kernel.attribute(name, of: descriptor) }
    }

    package func setAttribute(_ name: String, of descriptor: Int32, to value: [UInt8]) throws(ErrorNumber) {
        try run(.setAttribute) { (kernel) throws(ErrorNumber) in
            try kernel.setAttribute(name, of: descriptor, to: value)
        }
    }

    package func removeAttribute(_ name: String, of descriptor: Int32) throws(ErrorNumber) {
        try run(.removeAttribute) { (kernel) throws(ErrorNumber) in try kernel.removeAttribute(name, of: descriptor) }
    }

    package var user: UInt32 { actingUser ?? kernel.user }

    package func overridesPermissions(_ user: UInt32) -> Bool {
        actingUser == nil ? kernel.overridesPermissions(user) : false
    }
}

extension ScriptedCalls {
    package func setLease(of descriptor: Int32, to kind: LeaseKind) throws(ErrorNumber) {
        try run(.setLease) { (kernel) throws(ErrorNumber) in try kernel.setLease(of: descriptor, to: kind) }
    }

    package func lease(of descriptor: Int32) throws(ErrorNumber) -> LeaseKind {
        try run(.lease) { (kernel) throws(ErrorNumber) in try kernel.lease(of: descriptor) }
    }

    package func blockLeaseSignal() -> SignalMask { kernel.blockLeaseSignal() }

    package func unblockLeaseSignal(_ mask: SignalMask, of descriptor: Int32) {
        kernel.unblockLeaseSignal(mask, of: descriptor)
    }

    package func setLeaseSignal(of descriptor: Int32) throws(ErrorNumber) {
        try run(.setLeaseSignal) { (kernel) throws(ErrorNumber) in try kernel.setLeaseSignal(of: descriptor) }
    }

    package func setSignalReceiver(of descriptor: Int32, to receiver: SignalReceiver) throws(ErrorNumber) {
        try run(.setSignalReceiver) { (kernel) throws(ErrorNumber) in
            try kernel.setSignalReceiver(of: descriptor, to: receiver)
        }
    }

    package func closeInForkedChildren(_ descriptor: Int32) { kernel.closeInForkedChildren(descriptor) }

    package func stopClosingInForkedChildren(_ descriptor: Int32) { kernel.stopClosingInForkedChildren(descriptor) }
}
