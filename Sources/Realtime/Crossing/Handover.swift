/// Passes values that own memory (a feed, a filter set) to the realtime side and returns them.
///
/// The control side allocates and frees; the realtime side only moves an address.
@frozen
public struct Handover<Value: ~Copyable & Sendable>: ~Copyable, Sendable {
    public let control: Control
    public let realtime: Realtime

    /// - Parameter depth: number of values that may be in flight; a power of two.
    public init(depth: Int = 8) {
        let out = Ring<Address>(capacity: depth)
        // The return path has room for every value sent or held, so returning cannot fail.
        let back = Ring<Address>(capacity: depth * 4)
        let returnPath = ReturnPath(give: out.consumer, back: back.consumer)
        control = Control(give: out.producer, returnPath: returnPath)
        realtime = Realtime(returnPath: returnPath, back: back.producer)
    }

    // SAFETY: the holder of the address owns the value behind it; addresses move through rings and are never copied.
    @usableFromInline
    struct Address: BitwiseCopyable, @unchecked Sendable {
        @usableFromInline let pointer: UnsafeMutablePointer<Value>
        @inlinable init(pointer: UnsafeMutablePointer<Value>) { self.pointer = pointer }

        init(_ value: consuming Value) {
            pointer = .allocate(capacity: 1)
            pointer.initialize(to: value)
        }

        func free() {
            pointer.deinitialize(count: 1)
            pointer.deallocate()
        }
    }

    /// The consuming ends of both rings. Freed when both sides are gone, with all values in flight.
    // SAFETY: only the realtime side reads `give`, only the control side reads `back`, and the deinitializer reads both
    // when no side is left.
    @usableFromInline
    final class ReturnPath: @unchecked Sendable {
        let give: UnsafeMutablePointer<Ring<Address>.Consumer>
        private var back: Ring<Address>.Consumer

        init(give: consuming Ring<Address>.Consumer, back: consuming Ring<Address>.Consumer) {
            self.give = .allocate(capacity: 1)
            self.give.initialize(to: give)
            self.back = back
        }

        func collect() { while let old = back.pop() { old.free() } }

        deinit {
            collect()
            while let unread = give.pointee.pop() { unread.free() }
            give.deinitialize(count: 1)
            give.deallocate()
        }
    }

    public struct Control: ~Copyable, Sendable {
        private var give: Ring<Address>.Producer
        private let returnPath: ReturnPath

        init(give: consuming Ring<Address>.Producer, returnPath: ReturnPath) {
            self.give = give
            self.returnPath = returnPath
        }

        /// Returns false, and frees `value`, when the queue is full because the realtime side has not run for a while.
        public mutating func send(_ value: consuming Value) -> Bool {
            collect()
            let address = Address(value)
            if give.push(address) { return true }
            address.free()
            return false
        }

        /// Frees the values that the realtime side has returned.
        public mutating func collect() { returnPath.collect() }
    }

    public struct Realtime: ~Copyable, Sendable {
        private let returnPath: ReturnPath
        // SAFETY: points into `returnPath`, which lives as long as this end.
        @usableFromInline nonisolated(unsafe) let take: UnsafeMutablePointer<Ring<Address>.Consumer>
        @usableFromInline var back: Ring<Address>.Producer

        init(returnPath: ReturnPath, back: consuming Ring<Address>.Producer) {
            self.returnPath = returnPath
            self.back = back
            take = returnPath.give
        }

        /// Returns the next value in the order of sending; the caller holds it until it gives it back.
        @inlinable
        public mutating func receive() -> UnsafeMutablePointer<Value>? {
            // A copy, since ThreadSanitizer takes a call through the property for a change of this value.
            let take = take
            return take.pointee.pop()?.pointer
        }

        /// Returns a value from ``receive()`` to the control side, which frees it.
        @inlinable
        public mutating func giveBack(_ pointer: UnsafeMutablePointer<Value>) {
            _ = back.push(Address(pointer: pointer))
        }
    }
}
