internal import Locking

/// Objects that modules above this one attach to a session or to a file, at most one of each type. They must not refer
/// to the session.
package final class Attachments: Sendable {
    private let objects = Lock<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    init() {}

    /// Returns the object of a type, created by `make` at the first call. Concurrent first calls may each create one;
    /// all return the same.
    package func object<Object: AnyObject & Sendable>(_ type: Object.Type, _ make: () -> Object) -> Object {
        let key = ObjectIdentifier(type)
        if let object = objects.withLock({ $0[key] }) { return object as! Object }  // the key is the type
        // Outside the lock, because it is code of another module.
        let new = make()
        return objects.withLock { objects in
            if let first = objects[key] { return first as! Object }
            objects[key] = new
            return new
        }
    }
}
