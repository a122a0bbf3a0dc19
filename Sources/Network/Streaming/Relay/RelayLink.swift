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
