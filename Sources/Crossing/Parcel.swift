/// Carries one value that cannot be copied to the place that uses it, and hands it over once.
///
/// For set-up only: whoever assembles the program makes it, and one thread takes it.
// SAFETY: written by the initializer and emptied by `take`, which set-up calls before the thread that uses the
// value begins, or that thread calls alone.
public final class Parcel<Value: ~Copyable & Sendable>: @unchecked Sendable {
    private var value: Value?

    public init(_ value: consuming Value) { self.value = consume value }

    /// The value; taking it twice is an error of the program.
    public func take() -> Value { value.take()! }
}
