/// Keeps a noncopyable value at one address while the box is referenced.
// SAFETY: the control side creates, holds and frees boxes; their contents belong to the realtime side while a plan that
// refers to them is in flight or in use.
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
