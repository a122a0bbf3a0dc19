internal import Binaural
internal import Crossing

/// The arrays that were sent to a worker, in the order of their versions.
struct ArrayQueue: ~Copyable, Sendable {
    private var arriving: Handover<ArrayEdit>.Realtime
    // SAFETY: lent by the handover; this value alone holds them and gives them back.
    private nonisolated(unsafe) var current: UnsafeMutablePointer<ArrayEdit>?
    // SAFETY: as above. Arrived, but no block has used it yet.
    private nonisolated(unsafe) var next: UnsafeMutablePointer<ArrayEdit>?

    init(_ arriving: consuming Handover<ArrayEdit>.Realtime) { self.arriving = arriving }

    // SAFETY: a renderer ends on the control side, which may free what is left.
    deinit {
        for array in [current, next] {
            array?.deinitialize(count: 1)
            array?.deallocate()
        }
    }

    /// Makes room for later arrays while no blocks come: keeps the newest besides the one in use.
    @_noLocks @_noAllocation
    mutating func skip() {
        while let coming = arriving.receive() {
            if let old = next { arriving.giveBack(old) }
            next = coming
        }
    }

    /// The array of a version, which is never lower than that of the call before; nil when it has not arrived.
    @_noLocks @_noAllocation
    mutating func array(_ version: Int64, channels: Int) -> UnsafePointer<RingLookup>? {
        while true {
            if next == nil { next = arriving.receive() }
            guard let coming = next, coming.pointee.version <= version else { break }
            if let old = current { arriving.giveBack(old) }
            current = coming
            next = nil
        }
        guard let current, current.pointee.version == version, current.pointee.ring.pointee.channels == channels else { return nil }
        return UnsafePointer(current.pointee.ring)
    }
}
