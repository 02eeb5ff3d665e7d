import LosslessJSON
import SessionMirror
import TestSupport

/// One of several sessions of a file, with every kind of use: changes, saves, reads and subscriptions.
struct SessionUser: Sendable {
    let session: Session<SharedRoot>
    private let name: String
    private let violations: Received<String>

    init(_ name: String, of path: String, violations: Received<String>) throws {
        session = try Session(SharedRoot(), at: path, options: SharedRoot.options)
        (self.name, self.violations) = (name, violations)
    }

    func use(until endOfTest: EndOfTest) {
        var number = 0
        while !endOfTest.isOver {
            number += 1
            ignoringExpectedErrors { try change(number) }
        }
    }

    /// Uses the session like an asynchronous service.
    func useAsynchronously(until endOfTest: EndOfTest) async {
        while !endOfTest.isOver {
            do {
                try session.update { $0.shared += 1 }
                try await session.commit { $0.counts[name, default: 0] += 1 }
                try await session.flush()
            } catch {
                record(error)
            }
        }
    }

    private func change(_ number: Int) throws {
        switch Int.random(in: 0..<10) {
        case 0..<5: try session.update { $0.counts[name, default: 0] += 1 }
        case 5: try session.commitBlocking { $0.counts[name, default: 0] += 1 }
        case 6: try session.commitBlocking { $0.shared += 1 }
        case 7: try session.set(JSONPointer(["notes", name]), to: JSON(number))
        case 8: try session.set(JSONPointer(["notes", name]), to: nil)
        default: try session.flushBlocking()
        }
    }

    /// Runs `body`. Ignores expected errors: the file may be invalid, and a missing note cannot be removed.
    private func ignoringExpectedErrors(_ body: () throws -> Void) {
        do { try body() } catch { record(error) }
    }

    private func record(_ error: any Error) {
        if !(error is SessionProblem || error is JSONEditError) { violations.add("\(name): \(error)") }
    }
}

extension SessionUser {
    func read(until endOfTest: EndOfTest) {
        var version = session.snapshot.version
        while !endOfTest.isOver {
            let snapshot = session.snapshot
            if snapshot.version < version { violations.add("version \(snapshot.version) after \(version)") }
            version = snapshot.version
            if session.read({ $0.shared }) < 0 || session.shared < 0 { violations.add("a negative counter") }
            if snapshot.json["counts"]?.object?.count ?? 0 != snapshot.value.counts.count {
                violations.add("value and tree differ: \(snapshot.value), \(snapshot.json)")
            }
            _ = (session.mirror.status, session.mirror.metrics, session.mirror.lastSave)
        }
    }

    func subscribe(until endOfTest: EndOfTest) {
        var tokens: [Subscription] = []
        while !endOfTest.isOver {
            tokens += [
                session.observe(\.shared) { [violations] in if $0.old == $0.new { violations.add("no change: \($0)") }
                },
                session.observe("/counts") { [violations] in if $0.old == $0.new { violations.add("no change: \($0)") }
                },
                session.mirror.observe { _ in },
            ]
            session.mirror.reload()
            // Some subscriptions are cancelled, some are released, and some stay for a while.
            guard tokens.count > 30 else { continue }
            for token in tokens[..<10] { token.cancel() }
            tokens.removeFirst(20)
        }
    }
}
