/// Gives the realtime side something that owns memory (a feed, a filter set) and takes it back.
///
/// The control side allocates and frees; the realtime side only moves an address.
@frozen
public struct Handover<Value: ~Copyable & Sendable>: ~Copyable, Sendable {
    public let control: Control
    public let realtime: Realtime

    /// - Parameter depth: how many values may be on their way; a power of two.
    public init(depth: Int = 8) {
        let out = Ring<Address>(capacity: depth)
        // Everything sent and everything held fits on the way back, so giving back cannot fail.
        let back = Ring<Address>(capacity: depth * 4)
        let returnPath = ReturnPath(give: out.consumer, back: back.consumer)
        control = Control(give: out.producer, returnPath: returnPath)
        realtime = Realtime(returnPath: returnPath, back: back.producer)
    }

    // SAFETY: whoever holds the address owns what it points to; it moves through rings, never copied.
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

    /// The reading end of both rings. Freed when both sides are gone, with what was still on its way.
    // SAFETY: `give` is read by the realtime side only, `back` by the control side only,
    // and both by the deinitializer, when no side is left.
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

        /// Returns false, and frees `value`, when the realtime side has not run for a while.
        public mutating func send(_ value: consuming Value) -> Bool {
            collect()
            let address = Address(value)
            if give.push(address) { return true }
            address.free()
            return false
        }

        /// Frees what the realtime side has given back.
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

        /// The next value sent, in order; the caller holds it until it gives it back.
        @inlinable
        public mutating func receive() -> UnsafeMutablePointer<Value>? {
            take.pointee.pop()?.pointer
        }

        /// Returns what ``receive()`` gave, to be freed on the control side.
        @inlinable
        public mutating func giveBack(_ pointer: UnsafeMutablePointer<Value>) {
            _ = back.push(Address(pointer: pointer))
        }
    }
}
