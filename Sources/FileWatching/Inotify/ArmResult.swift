/// The result of arming a path.
struct ArmResult: Sendable {
    /// Whether other inodes are watched than before. Changes in between were not observed.
    var isChanged = false
    /// Why changes may go undetected, so that the path must be polled; nil if inotify reports all of them.
    var pollingReason: FileWatchReason?
    /// Whether the kernel's watches differ from the recorded ones. Only a restart repairs that.
    var needsRestart = false
}
