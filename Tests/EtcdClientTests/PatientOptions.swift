import EtcdClient
import TestSupport

extension EtcdOptions {
    /// Requests that take as long as a busy machine needs, for tests in which none should time out.
    static func patient(_ endpoints: [String]) -> EtcdOptions {
        var options = EtcdOptions(endpoints: endpoints)
        (options.connectTimeout, options.requestTimeout) = (.patience, .patience)
        return options
    }
}
