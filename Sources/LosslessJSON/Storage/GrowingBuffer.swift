/// Elements that are collected one by one and then moved into a page. Its memory is used again for the next ones.
struct GrowingBuffer<Element>: ~Copyable {
    private var start: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 8) {
        self.capacity = max(capacity, 1)
        start = .allocate(capacity: self.capacity)
    }

    deinit {
        start.deinitialize(count: count)
        start.deallocate()
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow() }
        (start + count).initialize(to: element)
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: 2 * capacity)
        larger.moveInitialize(from: start, count: count)
        start.deallocate()
        (start, capacity) = (larger, 2 * capacity)
    }

    subscript(index: Int) -> Element {
        get {
            precondition(index < count, "the buffer has no such element")
            return start[index]
        }
        set {
            precondition(index < count, "the buffer has no such element")
            start[index] = newValue
        }
    }

    /// Empties the buffer. `move` must move all elements out of the memory that it is passed.
    @inline(__always)
    mutating func takeAll<Result>(_ move: (UnsafeMutablePointer<Element>, Int) -> Result) -> Result {
        defer { count = 0 }
        return move(start, count)
    }

    mutating func removeAll() {
        if count == 0 { return }
        start.deinitialize(count: count)
        count = 0
    }

    /// The elements, which stay in the buffer.
    var copy: [Element] { Array(UnsafeBufferPointer(start: start, count: count)) }
}

extension GrowingBuffer<Member> {
    /// Empties the buffer. The last of members with the same key counts.
    mutating func takeObject() -> JSONObject { takeAll { JSONObject.moving($0, $1).object } }
}

extension GrowingBuffer<JSON> {
    /// Empties the buffer.
    mutating func takeArray() -> JSONArray { takeAll { JSONArray(form: JSONArray.form(moving: $0, $1)) } }
}
