/// Why a change cannot be made.
public struct JSONEditError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of error.
    public enum Code: String, Sendable {
        /// There is nothing to change or to remove at the path, or nothing that could hold what is to be added.
        case missing
        /// There is something already where a value is to be added.
        case present
        /// The whole value is to be removed, which would leave no JSON.
        case root
        /// More containers would lie inside each other than the document's limit allows.
        case depth
        /// The text would be longer than the document's limit allows.
        case size
    }

    /// What kind of error.
    public let code: Code

    /// Where; the whole value where a limit of the document is met.
    public let path: JSONPointer

    init(_ code: Code, _ path: JSONPointer) { (self.code, self.path) = (code, path) }

    /// What is wrong, on one line.
    public var description: String {
        let place = path.isRoot ? "the whole value" : "\"\(path.dotted.visible)\""
        return switch code {
        case .missing: "\(place) is not there"
        case .root: "the whole value cannot be removed"
        case .present: "\(place) is there already"
        case .depth: "the containers would lie deeper in each other than the limit allows"
        case .size: "the text would be longer than the limit allows"
        }
    }
}
