/// What a thread of the hub does before it watches again.
struct Errand {
    let body: () -> Void
    /// Called by the thread that takes over when it takes long.
    let ifLong: () -> Void
}
