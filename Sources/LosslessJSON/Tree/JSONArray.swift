/// The elements of a JSON array.
///
/// A random-access collection. Copies and unchanged parts share storage: replacing and appending an element copy one
/// path of pages, about a microsecond in the largest array. Inserting and removing elsewhere, and replacing ranges,
/// rebuild the array from there on, though not the contents of its elements.
public struct JSONArray: Sendable {
    enum Form: @unchecked Sendable {  // pages never change once shared
        case small(Page<JSON>)
        case large(LargeArray)
    }

    let form: Form

    static let smallLimit = 32

    init(form: Form) { self.form = form }

    /// Creates an array of `elements`.
    public init(_ elements: some Sequence<JSON>) {
        let all = Array(elements)
        self.init(
            form: withUnsafeTemporaryAllocation(of: JSON.self, capacity: all.count) { room in
                _ = room.initialize(from: all)
                return JSONArray.form(moving: room.baseAddress!, all.count)
            })
    }

    /// Creates an empty array.
    public init() { form = .small(JSONArray.noElements) }

    // Pages never change once shared.
    nonisolated(unsafe) private static let noElements: Page<JSON> = Page.make(0) { _ in }

    /// Moves `count` elements out of `start`, which is uninitialized afterwards.
    @inline(__always)
    static func form(moving start: UnsafeMutablePointer<JSON>, _ count: Int) -> Form {
        if count == 0 { return .small(noElements) }
        if count <= smallLimit { return .small(Page.make(count) { $0.moveInitialize(from: start, count: count) }) }
        return .large(LargeArray(PagedVector(moving: start, count)))
    }

    /// Whether two arrays have the same storage, and therefore equal elements. Equal arrays need not be identical.
    public func isIdentical(to other: JSONArray) -> Bool {
        switch (form, other.form) {
        case (.small(let mine), .small(let theirs)): mine === theirs
        case (.large(let mine), .large(let theirs)): mine === theirs
        default: false
        }
    }

    /// Calls `body` with each element, without the reference counting of a `for` loop.
    func forEachElement(_ body: (borrowing JSON) -> Void) {
        switch form {
        case .small(let page): for index in 0..<page.count { body(page.elements[index]) }
        case .large(let large): large.elements.visit(body)
        }
    }
}

/// The elements of an array that does not fit in one page.
final class LargeArray: Sendable {
    let elements: PagedVector<JSON>
    let hashes = ElementHashes()

    init(_ elements: PagedVector<JSON>) { self.elements = elements }
}

extension JSONArray: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int {
        switch form {
        case .small(let page): page.count
        case .large(let large): large.elements.count
        }
    }

    /// The element at `index`, which must be in range.
    public subscript(index: Int) -> JSON {
        get {
            precondition(index >= 0 && index < endIndex, "index \(index) is out of range of \(endIndex) elements")
            switch form {
            case .small(let page): return page.elements[index]
            case .large(let large): return large.elements[index]
            }
        }
        set {
            precondition(index >= 0 && index < endIndex, "index \(index) is out of range of \(endIndex) elements")
            switch form {
            case .small(let page):
                if newValue.isIdentical(to: page.elements[index]) { return }
                self = JSONArray(form: .small(page.replacing(index, with: newValue)))
            case .large(let large):
                if large.elements.withElement(index, { newValue.isIdentical(to: $0.pointee) }) { return }
                self = JSONArray(form: .large(LargeArray(large.elements.replacing(index, with: newValue))))
            }
        }
    }

    /// Appends an element.
    public mutating func append(_ element: JSON) {
        switch form {
        case .small(let page) where page.count < JSONArray.smallLimit:
            self = JSONArray(form: .small(page.inserting(element, at: page.count)))
        case .small(let page):
            let grown = page.inserting(element, at: page.count)
            self = JSONArray(UnsafeBufferPointer(start: grown.elements, count: grown.count))
            extendLifetime(grown)
        case .large(let large): self = JSONArray(form: .large(LargeArray(large.elements.appending(element))))
        }
    }

    /// Replaces `range` by `elements`; rebuilds the array from there on.
    public mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<JSON>) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= count, "\(range) is out of range of \(count) elements")
        let new = Array(elements)
        if range.isEmpty, new.isEmpty { return }
        let newCount = count - range.count + new.count
        if newCount > JSONArray.smallLimit, case .large(let large) = form {
            self = JSONArray(form: .large(LargeArray(large.elements.replacing(range, with: new))))
            return
        }
        self = JSONArray(
            form: withUnsafeTemporaryAllocation(of: JSON.self, capacity: Swift.max(newCount, 1)) { room in
                let start = room.baseAddress!
                copy(0..<range.lowerBound, to: start)
                let middle = start + range.lowerBound
                new.withUnsafeBufferPointer {
                    if let new = $0.baseAddress { middle.initialize(from: new, count: $0.count) }
                }
                copy(range.upperBound..<count, to: middle + new.count)
                return JSONArray.form(moving: start, newCount)
            })
    }

    /// Copies the elements in a range to memory that is not initialized.
    private func copy(_ range: Range<Int>, to start: UnsafeMutablePointer<JSON>) {
        switch form {
        case .small(let page): start.initialize(from: page.elements + range.lowerBound, count: range.count)
        case .large(let large): large.elements.copy(range, to: start)
        }
    }
}

extension JSONArray: Hashable {
    /// Whether two arrays have equal elements in the same order. Skips shared parts.
    public static func == (a: JSONArray, b: JSONArray) -> Bool {
        guard a.count == b.count else { return false }
        return a.isIdentical(to: b) || firstDifference(a, b) == nil
    }

    /// Hashes the elements.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        forEachElement { element in (copy element).hash(into: &hasher) }
    }
}

extension JSONArray: ExpressibleByArrayLiteral, CustomStringConvertible {
    /// Creates an array of `elements`.
    public init(arrayLiteral elements: JSON...) { self.init(elements) }

    /// The array on one line.
    public var description: String { JSON.array(self).description }
}
