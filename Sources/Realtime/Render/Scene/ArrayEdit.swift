public import Binaural
internal import Crossing
internal import Synchronization

/// New places and calibration of the recording's microphones, applied while it plays.
///
/// The scene crossfades to it. It applies to later recordings as well, until one arrives with a later version.
public struct ArrayEdit: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied; its address does not change.
    nonisolated(unsafe) let ring: UnsafeMutablePointer<RingLookup>
    let version: Int64
    private let owner: SphereEncoding
    /// Encoding of sound objects onto the array.
    let encoding: SphereEncodingView

    /// Version of the array that objects are encoded onto without a recording.
    public static let standardVersion: Int64 = -1
    /// The array that objects are encoded onto without a recording: sixteen microphones on a sphere of 8.75 cm.
    public static var standard: MicrophoneArray { .uniform(count: 16) }

    /// - Parameter version: rises with every edit and with every recording's own array.
    public init(_ ring: consuming RingLookup, version: Int64) {
        owner = SphereEncodings.encoding(radius: ring.radius, rate: ring.rate)
        encoding = owner.view
        self.ring = .allocate(capacity: 1)
        self.ring.initialize(to: ring)
        self.version = version
    }

    deinit {
        ring.deinitialize(count: 1)
        ring.deallocate()
    }
}

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

/// Encodings of spheres that have been computed: those of an array are the same for all its recordings.
enum SphereEncodings {
    /// Number that are kept.
    private static let most = 8
    private static let known = Mutex<[SphereEncoding]>([])

    /// The encoding of a sphere, computed when it is not known.
    ///
    /// - Parameters:
    ///   - radius: metres.
    ///   - rate: frames per second.
    static func encoding(radius: Float, rate: Float) -> SphereEncoding {
        known.withLock { known in
            if let found = known.first(where: { $0.radius == radius && $0.rate == rate }) { return found }
            if known.count == most { known.removeFirst() }
            let encoding = SphereEncoding(radius: radius, rate: rate)
            known.append(encoding)
            return encoding
        }
    }
}
