internal import Glibc

extension Subscription {
    /// Whether the path cannot be followed to its end any more.
    ///
    /// A folder that may not be entered any longer tells nobody, as new permissions of folders are not watched while
    /// all is well. What happens to the file still comes, and is the moment to notice and to watch for them.
    var isOutOfReach: Bool {
        var status = stat()
        return stat(path, &status) != 0
    }
}
