/// Something that happened between a session and its file, beside changes of values.
public enum MirrorReport: Sendable, Hashable {
    /// The file holds something that cannot be used, or saving does not work: told once, until it is another problem. Or a
    /// value had to give way, each time.
    case problem(Problem)
    /// The problem that stood is over: the file can be used again, or is gone, or could be saved.
    case recovered(Problem)
    /// The status is another.
    case status(MirrorStatus)
}
