package import Glibc

/// Swift's Glibc refuses it, since little can be done in the child; here that is a test's business.
package let fork: @convention(c) () -> pid_t = {
    unsafeBitCast(dlsym(nil, "fork")!, to: (@convention(c) () -> pid_t).self)
}()
