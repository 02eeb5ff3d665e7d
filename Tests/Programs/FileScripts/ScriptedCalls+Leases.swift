package import DurableFiles

extension ScriptedCalls {
    package func setLease(of descriptor: Int32, to kind: LeaseKind) throws(ErrorNumber) {
        try run(.setLease) { (kernel) throws(ErrorNumber) in try kernel.setLease(of: descriptor, to: kind) }
    }

    package func lease(of descriptor: Int32) throws(ErrorNumber) -> LeaseKind {
        try run(.lease) { (kernel) throws(ErrorNumber) in try kernel.lease(of: descriptor) }
    }

    package func blockLeaseSignal() -> SignalMask { kernel.blockLeaseSignal() }

    package func unblockLeaseSignal(_ mask: SignalMask, of descriptor: Int32) {
        kernel.unblockLeaseSignal(mask, of: descriptor)
    }

    package func setLeaseSignal(of descriptor: Int32) throws(ErrorNumber) {
        try run(.setLeaseSignal) { (kernel) throws(ErrorNumber) in try kernel.setLeaseSignal(of: descriptor) }
    }

    package func setSignalReceiver(of descriptor: Int32, to receiver: SignalReceiver) throws(ErrorNumber) {
        try run(.setSignalReceiver) { (kernel) throws(ErrorNumber) in
            try kernel.setSignalReceiver(of: descriptor, to: receiver)
        }
    }

    package func closeInForkedChildren(_ descriptor: Int32) { kernel.closeInForkedChildren(descriptor) }

    package func stopClosingInForkedChildren(_ descriptor: Int32) { kernel.stopClosingInForkedChildren(descriptor) }
}
