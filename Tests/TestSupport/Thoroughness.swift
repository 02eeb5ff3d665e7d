/// How far tests go that only think: walks through the orders of events, with values of one thread.
package enum Thoroughness {
    /// Whether they go all the way. Not where each step costs many times as much: in code that is not optimised, and under
    /// a sanitizer, which looks for other things than wrong answers.
    package static let isFull: Bool = {
        #if DEBUG
        false
        #else
        !Sanitizer.isAtWork
        #endif
    }()
}
