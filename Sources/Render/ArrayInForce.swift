internal import Binaural
internal import Crossing

/// Which array holds: that of the feed, or a later edit of it.
struct ArrayInForce: ~Copyable, Sendable {
    private var edits: Handover<ArrayEdit>.Realtime
    // SAFETY: what the handover lent; this value alone holds it and gives it back.
    private nonisolated(unsafe) var edit: UnsafeMutablePointer<ArrayEdit>?
    // SAFETY: lent by whoever holds the feed, or part of `edit`; used within the block.
    private nonisolated(unsafe) var current: UnsafePointer<RingLookup>?
    private var version: Int64 = -1
    private var number: Int64 = -1
    /// Rises whenever the array is another.
    private(set) var changes = 0

    init(edits: consuming Handover<ArrayEdit>.Realtime) { self.edits = edits }

    /// The array that holds; nil while there is no recording.
    var ring: UnsafePointer<RingLookup>? { @_noLocks @_noAllocation get { current } }

    /// Takes new edits and chooses, once per block.
    @_noLocks @_noAllocation
    mutating func choose(_ feed: UnsafeMutablePointer<SceneFeed>?) {
        while let coming = edits.receive() {
            if let old = edit { edits.giveBack(old) }
            edit = coming
        }
        guard let feed else { return }
        var chosen = feed.pointee.array.version
        current = UnsafePointer(feed.pointee.array.ring)
        if let edit, edit.pointee.version > chosen,
            edit.pointee.ring.pointee.channels == feed.pointee.frames.channels
        {
            chosen = edit.pointee.version
            current = UnsafePointer(edit.pointee.ring)
        }
        if chosen != version || feed.pointee.number != number { changes &+= 1 }
        version = chosen
        number = feed.pointee.number
    }
}
