/// A key and its value: thirty-two bytes.
struct Member: Sendable {
    let key: Text
    /// nil is the gap that a removed member leaves in a large object, until the object is written anew.
    let value: JSON?

    @inline(__always)
    init(_ key: Text, _ value: JSON?) {
        self.key = key
        self.value = value
    }
}
