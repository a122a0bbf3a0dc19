/// The path of frames from one sender to one receiver.
struct RelayLink<Payload> {
    let number: Int
    let sender: Int
    let receiver: Int
    /// Whether pictures pass besides sound.
    let hasPictures: Bool
    /// Whether frames may pass; otherwise the sender is asked.
    var isOpen = false
    /// Whether the sender itself has admitted the receiver.
    var isAdmitted = false
    /// Whether the receiver has confirmed nothing for so long that the sender no longer adapts to it.
    var isGone = false

    var bucket = FrameBucket<Payload>()
    var gauge = LinkGauge()
    var steps: StepChooser
    /// Time before which no key frame is asked for on this link, and the pause after that, milliseconds.
    var nextKey = 0.0
    var pause = RelayLimits.keyPause.lowerBound
    var ranOver: Double?
    var bytes = 0
    var rate = RateMeter()

    init(_ number: Int, from sender: Int, to receiver: Int, hasPictures: Bool, steps: Int) {
        self.number = number
        self.sender = sender
        self.receiver = receiver
        self.hasPictures = hasPictures
        self.steps = StepChooser(count: steps, pace: .picture)
    }
}

extension RelayLink: Sendable where Payload: Sendable {}

/// Bits per second over the last second or so.
struct RateMeter: Sendable {
    private static let span = 1000.0
    private var begun: Double?
    private var bytes = 0
    private var latest = 0.0

    mutating func add(_ count: Int, now: Double) {
        turn(now)
        if begun == nil { begun = now }
        bytes += count
    }

    private mutating func turn(_ now: Double) {
        guard let begun, now - begun >= Self.span else { return }
        latest = Double(bytes) * 8000 / (now - begun)
        bytes = 0
        self.begun = now - begun > 3 * Self.span ? nil : now
    }

    mutating func value(now: Double) -> Int {
        turn(now)
        return Int(clamping: latest)
    }
}
