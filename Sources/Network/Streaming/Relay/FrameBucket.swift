/// Frames that wait for one receiver, bounded in number, bytes and age. When it runs over, its pictures are left out up to the next key
/// frame, since those in between could not be decoded.
public struct FrameBucket<Payload> {
    /// Maximum numbers of waiting pictures, of waiting packets of sound, and of bytes of the pictures.
    public static var pictures: Int { 12 }
    public static var sounds: Int { 10 }
    public static var bytes: Int { 2 * RelayFrame.largest }
    /// Milliseconds that a picture may wait.
    public static var patience: Double { 400 }

    /// A frame with its payload.
    public struct Entry {
        public let frame: RelayFrame
        public let payload: Payload
        public let bytes: Int
        /// Milliseconds at which it came.
        public let came: Double
    }

    private var pictures: [Entry] = []
    private var sounds: [Entry] = []
    private var bytes = 0
    /// Whether pictures are left out until the next key frame.
    public private(set) var needsKey = true
    /// Frames that were left out.
    public private(set) var skipped = 0

    public init() {}

    public var isEmpty: Bool { pictures.isEmpty && sounds.isEmpty }
    public var count: Int { pictures.count + sounds.count }

    /// Adds a frame that was encoded after all others.
    ///
    /// - Returns: whether it ran over.
    public mutating func add(_ frame: RelayFrame, _ payload: Payload, bytes count: Int, now: Double) -> Bool {
        let entry = Entry(frame: frame, payload: payload, bytes: count, came: now)
        if frame.kind == .sound {
            if sounds.count == Self.sounds {
                sounds.removeFirst()
                skipped += 1
            }
            sounds.append(entry)
            return false
        }
        if frame.kind == .key {
            // Nothing needs the pictures before it any more. A few are shown nevertheless.
            if pictures.count > 2 { leaveOut() }
            needsKey = false
        }
        guard !needsKey else {
            skipped += 1
            return false
        }
        let isOld = pictures.first.map { now - $0.came > Self.patience } == true
        if isOld || pictures.count == Self.pictures || bytes + count > Self.bytes {
            leaveOut()
            guard frame.kind == .key else {
                skipped += 1
                needsKey = true
                return true
            }
        }
        pictures.append(entry)
        bytes += count
        return false
    }

    /// Removes the next frame. Sound comes first: it is small, and its loss is noticed sooner.
    public mutating func take() -> Entry? {
        if !sounds.isEmpty { return sounds.removeFirst() }
        guard !pictures.isEmpty else { return nil }
        let next = pictures.removeFirst()
        bytes -= next.bytes
        return next
    }

    /// Drops frames up to the next key frame, as after a gap. Frames that wait can still be decoded.
    public mutating func noteGap() { needsKey = true }

    /// Leaves out all pictures up to the next key frame.
    public mutating func awaitKey() {
        leaveOut()
        needsKey = true
    }

    /// Leaves out everything.
    public mutating func clear() {
        awaitKey()
        skipped += sounds.count
        sounds = []
    }

    private mutating func leaveOut() {
        skipped += pictures.count
        pictures = []
        bytes = 0
    }
}

extension FrameBucket: Sendable where Payload: Sendable {}
extension FrameBucket.Entry: Sendable where Payload: Sendable {}
