/// Something that happened between a session and its file, beside changes of values.
public enum MirrorReport: Sendable, Hashable {
    /// The file holds something that cannot be used; told once, until it is another problem.
    case problem(Problem)
    /// The file can be used again, or is gone; the problem that stood is over.
    case recovered(Problem)
    /// The status is another.
    case status(MirrorStatus)
}
