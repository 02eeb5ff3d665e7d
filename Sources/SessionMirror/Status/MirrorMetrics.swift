/// Counters of a session since it was opened.
public struct MirrorMetrics: Sendable, Hashable {
    /// The number of times the file was read. A load is counted once the value and ``FileMirror/status`` have its
    /// result.
    public var loads = 0

    /// The number of times a change of the file became a new version.
    public var reloads = 0

    /// The number of times the content of the file was rejected and reported as a problem.
    public var rejectedLoads = 0

    /// The number of times the file was written.
    public var saves = 0

    /// The number of times writing the file failed.
    public var failedSaves = 0

    /// The number of times changes of the program and of others were merged.
    public var merges = 0

    /// The number of conflicts, restored values and reverted values.
    public var conflicts = 0

    /// The number of times a component of the path was replaced and had to be watched anew.
    public var rearms = 0

    /// The number of times the kernel dropped events because too many arrived at once. Everything was then loaded
    /// again.
    public var overflows = 0

    /// The longest time from reading the file to the new version.
    public var slowestReload = Duration.zero

    /// The longest time that a save took.
    public var slowestSave = Duration.zero
}
