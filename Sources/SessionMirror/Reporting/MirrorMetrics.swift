/// What a session has done since it was opened.
public struct MirrorMetrics: Sendable, Hashable {
    /// How often the file was read.
    public var looks = 0

    /// How often a change of the file became a new version.
    public var reloads = 0

    /// How often the content of the file was refused, and told as a problem.
    public var refusals = 0

    /// How often the file was written.
    public var saves = 0

    /// How often writing it did not work.
    public var failedSaves = 0

    /// How often changes of the program and of others were put together.
    public var merges = 0

    /// How often one side had to give way, or a value was taken back or put in again.
    public var conflicts = 0

    /// How often something on the way to the file was replaced and had to be watched anew.
    public var rearms = 0

    /// How often the kernel dropped events because too many came at once; everything was looked at again.
    public var overflows = 0

    /// The longest time from looking at the file to the new version.
    public var slowestReload = Duration.zero

    /// The longest time that writing the file took.
    public var slowestSave = Duration.zero
}
