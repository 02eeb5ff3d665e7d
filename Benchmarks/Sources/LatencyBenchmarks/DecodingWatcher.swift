import Contenders
import Foundation
import ManualTiming

/// A value that a blocking thread decodes after each inotify event, behind a mutex: what programs do without a session.
final class DecodingWatcher: Sendable {
    let settings = MutexProtected(SettingsDocument.Settings())
    private let path: String

    /// Returns when the file is watched and loaded.
    init(_ path: String) throws {
        self.path = path
        let isReady = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            RawInotifyWatcher.watch(path, ready: { _ = isReady.signal() }, changed: { _ in load() })
        }
        isReady.wait()
        load()
    }

    private func load() {
        do {
            let text = try Data(contentsOf: URL(fileURLWithPath: path))
            settings.publish(try JSONDecoder().decode(SettingsDocument.Settings.self, from: text))
        } catch { fail("\(path): \(error)") }
    }
}
