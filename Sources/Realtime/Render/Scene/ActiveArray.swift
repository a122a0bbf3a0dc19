internal import Binaural
internal import Crossing

/// The array in use: that of the feed, or a later edit of it.
struct ActiveArray: ~Copyable, Sendable {
    private var edits: Handover<ArrayEdit>.Realtime
    // SAFETY: lent by the handover; this value alone holds it and gives it back.
    private nonisolated(unsafe) var edit: UnsafeMutablePointer<ArrayEdit>?
    // SAFETY: part of the feed that is playing, or of `edit`; used within the block.
    private nonisolated(unsafe) var current: UnsafePointer<RingLookup>?
    /// Encoding of sound objects onto the array in use; nil without a recording.
    private(set) var encoding: SphereEncodingView?
    /// Version of the array in use, in the count of ``ArrayEdit``; -1 for none.
    private(set) var version: Int64 = -1
    private var number: Int64 = -1
    /// Rises with every change of the array.
    private(set) var changes = 0

    init(edits: consuming Handover<ArrayEdit>.Realtime) { self.edits = edits }

    /// The array in use; nil without a recording.
    var ring: UnsafePointer<RingLookup>? { @_noLocks @_noAllocation get { current } }

    /// Receives new edits and chooses between them and the feed's own array, once per block.
    @_noLocks @_noAllocation
    mutating func choose(_ feed: UnsafeMutablePointer<SceneFeed>?) {
        while let coming = edits.receive() {
            if let old = edit { edits.giveBack(old) }
            edit = coming
        }
        guard let feed else { return }
        var chosen = feed.pointee.array.version
        current = UnsafePointer(feed.pointee.array.ring)
        encoding = feed.pointee.array.encoding
        if let edit, edit.pointee.version > chosen,
            edit.pointee.ring.pointee.channels == feed.pointee.frames.channels
        {
            chosen = edit.pointee.version
            current = UnsafePointer(edit.pointee.ring)
            encoding = edit.pointee.encoding
        }
        // A feed that follows with the same microphones continues the one before.
        let continues = feed.pointee.joint?.isSameArray ?? false
        if chosen != version || feed.pointee.number != number && !continues { changes &+= 1 }
        version = chosen
        number = feed.pointee.number
    }
}
