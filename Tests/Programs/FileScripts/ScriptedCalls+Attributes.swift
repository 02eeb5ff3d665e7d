package import DurableFiles

extension ScriptedCalls {
    package func setOwner(of descriptor: Int32, user: UInt32?, group: UInt32) throws(ErrorNumber) {
        try run(.setOwner) { (kernel) throws(ErrorNumber) in
            try kernel.setOwner(of: descriptor, user: user, group: group)
        }
    }

    package func setPermissions(of descriptor: Int32, to permissions: UInt32) throws(ErrorNumber) {
        try run(.setPermissions) { (kernel) throws(ErrorNumber) in
            try kernel.setPermissions(of: descriptor, to: permissions)
        }
    }

    package func attributeNames(of descriptor: Int32) throws(ErrorNumber) -> [String] {
        try run(.attributeNames) { (kernel) throws(ErrorNumber) in try kernel.attributeNames(of: descriptor) }
    }

    package func attribute(_ name: String, of descriptor: Int32) throws(ErrorNumber) -> [UInt8] {
        try run(.attribute) { (kernel) throws(ErrorNumber) in try kernel.attribute(name, of: descriptor) }
    }

    package func setAttribute(_ name: String, of descriptor: Int32, to value: [UInt8]) throws(ErrorNumber) {
        try run(.setAttribute) { (kernel) throws(ErrorNumber) in
            try kernel.setAttribute(name, of: descriptor, to: value)
        }
    }

    package func removeAttribute(_ name: String, of descriptor: Int32) throws(ErrorNumber) {
        try run(.removeAttribute) { (kernel) throws(ErrorNumber) in try kernel.removeAttribute(name, of: descriptor) }
    }

    package var user: UInt32 { actingUser ?? kernel.user }

    package func overridesPermissions(_ user: UInt32) -> Bool {
        actingUser == nil ? kernel.overridesPermissions(user) : false
    }
}
