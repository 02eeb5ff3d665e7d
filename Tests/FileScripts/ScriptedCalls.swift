package import DurableFiles
import Glibc

/// The real system calls, written down, and failing where a test wants it.
package final class ScriptedCalls: FileCalls {
    package enum Call: String, Hashable, CaseIterable, Sendable {
        case open, close, look, lookAtPath, read, pause
        case write, setSize, synchroniseData
        case openIn, openWithoutLinks, openUnnamed, name, lookAtName, target, requireWritable, createFolder, list,
            exchange, rename
        case renameToFree, link, remove, synchronise, lock, unlock
        case setOwner, setPermissions, attributeNames, attribute, setAttribute, removeAttribute
        case setLease, lease, chooseSignal, sendSignals
    }

    /// All that were made, in order.
    package private(set) var made: [Call] = []
    package private(set) var pauses: [Int] = []
    /// What was opened and not closed.
    package private(set) var openDescriptors: Set<Int32> = []
    /// The errors that the next calls of a kind end with, before any succeeds.
    package var failures: [Call: [Int32]] = [:]
    /// How much one read may bring, and one write take.
    package var longestRead = Int.max
    package var longestWrite = Int.max
    /// Beyond it the kernel would kill the process; no more than it says itself.
    package var largestFile: Int {
        get { min(smallerLimit, kernel.largestFile) }
        set { smallerLimit = newValue }
    }
    private var smallerLimit = Int.max
    /// Whether a pause takes as long as it says.
    package var pausesForReal = false
    /// Off for who makes millions of them.
    package var keepsRecord = true
    /// What happens just before a call, which is given with how many of its kind there were.
    /// It must not go on holding these calls, or whatever holds them.
    package var before: (Call, Int) -> Void = { _, _ in }
    /// What happens just after a call that succeeded.
    package var after: (Call, Int) -> Void = { _, _ in }

    private var counts: [Call: Int] = [:]
    private let kernel = Kernel.shared

    package init() {}

    /// From now on nothing happens before and after calls, and nothing that did is held.
    package func forget() {
        before = { _, _ in }
        after = { _, _ in }
    }

    package func count(of call: Call) -> Int { counts[call] ?? 0 }

    private func run<Result>(
        _ call: Call, _ body: (Kernel) throws(ErrorNumber) -> Result
    ) throws(ErrorNumber) -> Result {
        if keepsRecord { made.append(call) }
        counts[call, default: 0] += 1
        let number = count(of: call)
        before(call, number)
        if let error = failures[call]?.first {
            failures[call]?.removeFirst()
            throw ErrorNumber(error)
        }
        let result = try body(kernel)
        after(call, number)
        return result
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
    package func open(_ path: String, _ flags: Int32) throws(ErrorNumber) -> Int32 {
        try opening(.open) { (kernel) throws(ErrorNumber) in try kernel.open(path, flags) }
    }

    package func close(_ descriptor: Int32) {
        try? run(.close) { kernel in
            openDescriptors.remove(descriptor)
            kernel.close(descriptor)
        }
    }

    package func status(of descriptor: Int32) throws(ErrorNumber) -> FileStatus {
        try run(.look) { (kernel) throws(ErrorNumber) in try kernel.status(of: descriptor) }
    }

    package func status(at path: String) throws(ErrorNumber) -> FileStatus {
        try run(.lookAtPath) { (kernel) throws(ErrorNumber) in try kernel.status(at: path) }
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
            if keepsRecord { pauses.append(microseconds) }
            if pausesForReal { kernel.pause(microseconds: microseconds) }
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

    package func synchroniseData(of descriptor: Int32) throws(ErrorNumber) {
        try run(.synchroniseData) { (kernel) throws(ErrorNumber) in try kernel.synchroniseData(of: descriptor) }
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
        try run(.lookAtName) { (kernel) throws(ErrorNumber) in try kernel.status(of: name, in: folder) }
    }

    package func target(of name: String, in folder: Int32) throws(ErrorNumber) -> [UInt8] {
        try run(.target) { (kernel) throws(ErrorNumber) in try kernel.target(of: name, in: folder) }
    }

    package func requireWritable(_ name: String, in folder: Int32) throws(ErrorNumber) {
        try run(.requireWritable) { (kernel) throws(ErrorNumber) in try kernel.requireWritable(name, in: folder) }
    }

    package func createFolder(_ name: String, in folder: Int32, permissions: UInt32) throws(ErrorNumber) {
        try run(.createFolder) { (kernel) throws(ErrorNumber) in
            try kernel.createFolder(name, in: folder, permissions: permissions)
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

    package func rename(_ name: String, toFree newName: String, in folder: Int32) throws(ErrorNumber) {
        try run(.renameToFree) { (kernel) throws(ErrorNumber) in
            try kernel.rename(name, toFree: newName, in: folder)
        }
    }

    package func link(_ name: String, to newName: String, in folder: Int32) throws(ErrorNumber) {
        try run(.link) { (kernel) throws(ErrorNumber) in try kernel.link(name, to: newName, in: folder) }
    }

    package func remove(_ name: String, in folder: Int32) throws(ErrorNumber) {
        try run(.remove) { (kernel) throws(ErrorNumber) in try kernel.remove(name, in: folder) }
    }

    package func hasExactTimes(_ folder: Int32) -> Bool { kernel.hasExactTimes(folder) }

    package func onlyGrows(_ folder: Int32) -> Bool { kernel.onlyGrows(folder) }

    package func synchronise(_ folder: Int32) throws(ErrorNumber) {
        try run(.synchronise) { (kernel) throws(ErrorNumber) in try kernel.synchronise(folder) }
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

    package var user: UInt32 { kernel.user }
}

extension ScriptedCalls {
    package func setLease(of descriptor: Int32, to kind: LeaseKind) throws(ErrorNumber) {
        try run(.setLease) { (kernel) throws(ErrorNumber) in try kernel.setLease(of: descriptor, to: kind) }
    }

    package func lease(of descriptor: Int32) throws(ErrorNumber) -> LeaseKind {
        try run(.lease) { (kernel) throws(ErrorNumber) in try kernel.lease(of: descriptor) }
    }

    package func holdSignal() -> SignalMask { kernel.holdSignal() }

    package func releaseSignal(_ mask: SignalMask, of descriptor: Int32) {
        kernel.releaseSignal(mask, of: descriptor)
    }

    package func chooseSignal(of descriptor: Int32) throws(ErrorNumber) {
        try run(.chooseSignal) { (kernel) throws(ErrorNumber) in try kernel.chooseSignal(of: descriptor) }
    }

    package func sendSignals(of descriptor: Int32, to receiver: SignalReceiver) throws(ErrorNumber) {
        try run(.sendSignals) { (kernel) throws(ErrorNumber) in
            try kernel.sendSignals(of: descriptor, to: receiver)
        }
    }

    package func keepFromChildren(_ descriptor: Int32) { kernel.keepFromChildren(descriptor) }

    package func keepFromChildrenNoMore(_ descriptor: Int32) { kernel.keepFromChildrenNoMore(descriptor) }
}
