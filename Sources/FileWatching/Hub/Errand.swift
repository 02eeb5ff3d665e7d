/// What a thread of the hub does before it watches again.
struct Errand {
    let body: () -> Void
    /// Called elsewhere when it takes long.
    let check: () -> Void
}
