import CLinux
import CReadCopyUpdate
import Synchronization
import TestSupport
import Testing

@testable import SessionMirror

/// The order of writing a snapshot and publishing it.
///
/// Reads as specialized code does in optimized programs. In unoptimized ones, generic code looks up types between loading the
/// pointer and using the object, and the runtime synchronizes threads there, so that the thread sanitizer would not see
/// that this order is missing.
@Suite("Stress test of publishing snapshots") struct PublicationTortureTests {
    @Test("A reader of the pointer sees the whole snapshot, and versions only increase") func versions() {
        let session = Session(inMemory: PairedValue(0))
        let updates = Countdown(4_000)
        let count = updates.count
        let violations = Received<String>()
        let publish: @Sendable () -> Void = {
            updates.work { _ in try! session.update { $0 = PairedValue($0.first + 1) } }
        }
        let pointer: SnapshotPointer = session.snapshotCell
        let read: @Sendable () -> Void = {
            var last = 0
            updates.accompany {
                let version = pointer.readVersion()
                if version < last { violations.add("version \(version) after \(last)") }
                last = version
            }
        }
        concurrently(publish, publish, read, read)
        #expect(pointer.readVersion() == 1 + count)
        #expect(violations.items == [])
    }
}

extension SnapshotPointer {
    fileprivate func readVersion() -> Int {
        rcu_begin_reading()
        let object = pointer.load(ordering: .acquiring)
        defer {
            clinux_sanitizer_release(object)
            rcu_end_reading()
        }
        return Unmanaged<AnySnapshotStorage>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.version.number }
    }
}
