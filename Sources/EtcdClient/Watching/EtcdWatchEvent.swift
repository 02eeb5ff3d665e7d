/// What a watch reports.
package enum EtcdWatchEvent: Sendable, Hashable {
    /// The server has accepted the watch. All events from its start will follow.
    case created(revision: Int)
    /// A key was written, at this revision of the store.
    case put(EtcdKeyValue, revision: Int)
    /// A key was deleted or its lease has expired, at this revision of the store.
    case deleted(key: String, revision: Int)
    /// All events up to this revision have been reported. Sent about every ten minutes while nothing happens.
    case progress(revision: Int)
}
