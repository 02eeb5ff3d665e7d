public import FoundationEssentials
public import LosslessJSON

extension Date: BytewiseEquatable {}
extension UUID: BytewiseEquatable {}
