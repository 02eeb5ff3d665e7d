import Contenders
import Foundation
import Synchronization

/// A number that one thread reads while another one may replace it.
protocol PortSource: Sendable {
    var port: Int { get }

    /// Publishes the next number. One thread at a time.
    func publish()
}

extension MutexProtected<Configuration>: PortSource {
    @inline(__always) var port: Int { read { $0.value.port } }

    func publish() { publish(read { $0.value.next }) }
}

extension ReaderWriterLockProtected<Configuration>: PortSource {
    @inline(__always) var port: Int { read { $0.value.port } }

    func publish() { publish(read { $0.value.next }) }
}

extension AtomicNumber: PortSource {
    @inline(__always) var port: Int { value }

    func publish() { publish(value + 1) }
}

extension ReadCopyUpdateNumber: PortSource {
    @inline(__always) var port: Int { value }

    func publish() { publish(value + 1) }
}

/// The whole value as text in memory, decoded by each read.
final class DecodedText: PortSource {
    private let text = Mutex(DecodedText.encoded(Configuration()))

    var port: Int { decoded.port }

    var decoded: Configuration {
        let text = text.withLock { $0 }
        do { return try JSONDecoder().decode(Configuration.self, from: text) } catch { preconditionFailure("\(error)") }
    }

    func publish() {
        let next = DecodedText.encoded(decoded.next)
        text.withLock { $0 = next }
    }

    private static func encoded(_ configuration: Configuration) -> Data {
        do { return try JSONEncoder().encode(configuration) } catch { preconditionFailure("\(error)") }
    }
}

/// Two values in Foundation's `UserDefaults`, which is documented as thread-safe.
final class DefaultsValues: PortSource, @unchecked Sendable {
    private let defaults = TemporaryFiles.userDefaults()

    init() {
        defaults.set(8080, forKey: "port")
        defaults.set(Configuration().greeting, forKey: "greeting")
    }

    var port: Int { defaults.integer(forKey: "port") }

    var greeting: String? { defaults.string(forKey: "greeting") }

    func publish() { defaults.set(port + 1, forKey: "port") }
}

extension Configuration {
    fileprivate var next: Configuration {
        var next = self
        next.port &+= 1
        return next
    }
}
