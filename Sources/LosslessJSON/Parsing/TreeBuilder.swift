/// Builds a tree bottom-up on a stack of sixteen-byte slots: for each open container the saved state of the enclosing
/// one, followed by its values, or by its keys and values alternately.
///
/// At the end of a container its slots already have the layout of page elements and are moved into a page. Scalars need
/// no allocation, and this move is the only copy.
struct TreeBuilder {
    private let source: Source
    private var bottom: UnsafeMutableRawPointer
    private var top: UnsafeMutableRawPointer
    private var limit: UnsafeMutableRawPointer
    /// The offset of the innermost open container's slots from the bottom of the stack.
    private var frame = 0
    /// Whether the innermost open container is an object.
    private(set) var isInObject = false

    private(set) var hadDuplicateKeys = false

    private static let slot = 16

    /// The saved state of the enclosing container, in the slot before a container's own slots.
    private struct EnclosingFrame {
        let frame: Int
        let isObject: Bool
    }

    init(_ source: Source) {
        precondition(MemoryLayout<JSON>.stride == 16 && MemoryLayout<Member>.stride == 32, "the layout of slots")
        self.source = source
        let room = 16 * 1024
        bottom = .allocate(byteCount: room, alignment: TreeBuilder.slot)
        top = bottom
        limit = bottom + room
    }

    @inline(never)
    private mutating func grow() {
        let (used, room) = (top - bottom, (limit - bottom) * 2)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: TreeBuilder.slot)
        larger.copyMemory(from: bottom, byteCount: used)
        bottom.deallocate()
        (bottom, top, limit) = (larger, larger + used, larger + room)
    }

    @inline(__always)
    private mutating func push<Value>(_ value: consuming Value) {
        if top == limit { grow() }
        top.initializeMemory(as: Value.self, to: value)
        top += TreeBuilder.slot
    }

    mutating func begin(object: Bool) {
        push(EnclosingFrame(frame: frame, isObject: isInObject))
        frame = top - bottom
        isInObject = object
    }

    @inline(__always)
    mutating func key(_ start: UnsafePointer<UInt8>, _ count: Int, _ hasEscapes: Bool) {
        if hasEscapes {
            push(Escapes.decoded(UnsafeBufferPointer(start: start, count: count)).withUnsafeBufferPointer { Text($0) })
        } else {
            push(Text(start, count, in: source))
        }
    }

    @inline(__always)
    mutating func string(_ start: UnsafePointer<UInt8>, _ count: Int, _ hasEscapes: Bool) {
        if hasEscapes {
            push(JSON.string(JSONString(text: .escaped(TextSlice(start, count, in: source)))))
        } else {
            push(JSON.string(JSONString(text: Text(start, count, in: source))))
        }
    }

    @inline(__always)
    mutating func number(_ start: UnsafePointer<UInt8>, _ count: Int) {
        push(JSON.number(JSONNumber(text: Text(start, count, in: source))))
    }

    @inline(__always)
    mutating func literal(_ value: JSON) { push(value) }

    mutating func endArray() {
        let slots = bottom + frame
        let count = (top - slots) / MemoryLayout<JSON>.stride
        let form = JSONArray.form(moving: slots.assumingMemoryBound(to: JSON.self), count)
        end(slots, .array(JSONArray(form: form)))
    }

    mutating func endObject() {
        let slots = bottom + frame
        let count = (top - slots) / MemoryLayout<Member>.stride
        let (object, hadDuplicates) = JSONObject.moving(slots.assumingMemoryBound(to: Member.self), count)
        if hadDuplicates { hadDuplicateKeys = true }
        end(slots, .object(object))
    }

    @inline(__always)
    private mutating func end(_ slots: UnsafeMutableRawPointer, _ value: consuming JSON) {
        leave(slots)
        push(value)
    }

    /// Returns the root value after all containers have ended.
    mutating func finish() -> JSON {
        top -= TreeBuilder.slot
        return top.assumingMemoryBound(to: JSON.self).move()
    }

    @inline(__always)
    private mutating func leave(_ slots: UnsafeMutableRawPointer) {
        top = slots - TreeBuilder.slot
        let outer = top.load(as: EnclosingFrame.self)
        (frame, isInObject) = (outer.frame, outer.isObject)
    }

    /// Releases the stack. After an error, destroys the values on it container by container.
    mutating func dispose() {
        while top > bottom {
            let slots = bottom + frame
            for (number, slot) in stride(from: slots, to: top, by: TreeBuilder.slot).enumerated() {
                if isInObject && number & 1 == 0 {
                    slot.assumingMemoryBound(to: Text.self).deinitialize(count: 1)
                } else {
                    slot.assumingMemoryBound(to: JSON.self).deinitialize(count: 1)
                }
            }
            if frame == 0 { break }
            leave(slots)
        }
        bottom.deallocate()
    }
}
