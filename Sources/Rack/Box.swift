/// Keeps a value that cannot be copied at one address, as long as somebody holds the box.
// SAFETY: the control side makes, holds and frees boxes; what is inside is the realtime side's, as long as a plan
// that names it is on its way or in use.
final class Box<Value: ~Copyable & Sendable>: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Value>

    init(_ value: consuming Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    deinit {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}
