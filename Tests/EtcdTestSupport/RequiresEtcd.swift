import TestSupport
package import Testing

extension Trait where Self == ConditionTrait {
    /// Skips the test if etcd or etcdctl is missing, and says which packages provide them.
    package static var requiresEtcd: Self { .needs(.etcd, .etcdctl) }
}
