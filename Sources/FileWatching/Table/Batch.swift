/// What a batch of events means for the watched paths: each path once, in the order in which they were first touched.
struct Batch {
    struct Touch: Equatable {
        let path: PathID
        /// Something happened to the file itself, or to its name: what it holds may be new.
        var isDirect: Bool
        /// The path may lead elsewhere now.
        var needsArming: Bool
    }

    private(set) var touches: [Touch] = []
    private var places: [PathID: Int] = [:]
    /// What is watched can no longer be known; everything must be armed anew and looked at.
    var mustStartOver = false
    /// What is mounted in a folder goes with it, and nobody tells.
    var haveFoldersMoved = false
    /// How often the kernel had to drop events.
    var overflows = 0

    mutating func touch(_ path: PathID, isDirect: Bool, needsArming: Bool) {
        if let place = places[path] {
            touches[place].isDirect = touches[place].isDirect || isDirect
            touches[place].needsArming = touches[place].needsArming || needsArming
        } else {
            places[path] = touches.count
            touches.append(Touch(path: path, isDirect: isDirect, needsArming: needsArming))
        }
    }
}
