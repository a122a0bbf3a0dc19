/// Holds one noncopyable value until the thread that uses it takes it.
///
/// For set-up only: one thread creates the parcel, and one thread takes its value once.
// SAFETY: written by the initializer and emptied by `take`, which is called once: during set-up before the thread that
// uses the value starts, or by that thread.
public final class Parcel<Value: ~Copyable & Sendable>: @unchecked Sendable {
    private var value: Value?

    public init(_ value: consuming Value) { self.value = consume value }

    /// Returns the value. Taking it twice is a programming error.
    public func take() -> Value { value.take()! }
}
