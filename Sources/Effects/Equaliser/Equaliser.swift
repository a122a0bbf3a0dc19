internal import CRealtime
internal import DSP

/// Eight bands, each a shelf, a peak or a pass of second order, shaped like the analogue circuit up to 20 kHz.
///
/// All eight sections of one side are one vector, each a frame behind the section before it, so that a frame
/// waits for one section instead of eight. Sections are of transposed direct form II in double precision; when a
/// band changes, coefficients walk to the new ones in straight lines, which never leaves the stable region (a
/// triangle). Bands that are all off change no bit. No latency.
public struct Equaliser: ~Copyable, Effect {
    /// One band.
    public struct Band: BitwiseCopyable, Sendable, Equatable {
        /// Number of a ``Shape``.
        public var shape: Float
        /// Hertz, 20 to 20,000: of a peak its middle, of a pass -3 dB at Q 0.71, of a shelf the middle of its slope.
        public var frequency: Float
        /// Decibels, -18 to 18, of shelves and peaks.
        public var gain: Float
        /// 0.1 to 10: a peak's frequency by its width where it has half its decibels. Of shelves at most 1.
        public var q: Float

        public init(_ shape: Shape, frequency: Float, gain: Float = 0, q: Float = 0.71) {
            self.shape = Float(shape.rawValue)
            self.frequency = frequency
            self.gain = gain
            self.q = q
        }

        var isShelf: Bool {
            @_noLocks @_noAllocation get {
                switch kind {
                case .lowShelf, .highShelf: true
                default: false
                }
            }
        }

        /// True when it does nothing.
        var isFlat: Bool {
            @_noLocks @_noAllocation get {
                switch kind {
                case .off: true
                case .peak, .lowShelf, .highShelf: gain == 0
                case .lowPass, .highPass: false
                }
            }
        }

        var kind: Shape {
            @_noLocks @_noAllocation get { Shape(rawValue: Int(max(0, min(100, shape)))) ?? .off }
        }
    }

    /// What a band does; numbers beyond are off.
    public enum Shape: Int, CaseIterable, Sendable {
        case off, peak, lowShelf, highShelf, lowPass, highPass
    }

    public struct Settings: EffectSettings {
        public var band1 = Band(.off, frequency: 30)
        public var band2 = Band(.lowShelf, frequency: 100)
        public var band3 = Band(.peak, frequency: 250, q: 1)
        public var band4 = Band(.peak, frequency: 800, q: 1)
        public var band5 = Band(.peak, frequency: 2500, q: 1)
        public var band6 = Band(.peak, frequency: 6000, q: 1)
        public var band7 = Band(.highShelf, frequency: 9000)
        public var band8 = Band(.off, frequency: 18_000)

        public init() {}

        @_noLocks @_noAllocation
        func band(_ index: Int) -> Band {
            switch index {
            case 0: band1
            case 1: band2
            case 2: band3
            case 3: band4
            case 4: band5
            case 5: band6
            case 6: band7
            default: band8
            }
        }
    }

    private let rate: Float
    private var settings = Settings()
    private var target = SectionBank()
    private var now = SectionBank()
    private var isFresh = true
    private var left = SectionState()
    private var right = SectionState()

    public let latency = 0

    public init(rate: Float, largestBlock: Int) { self.rate = rate }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int { Int(rate / 4) }

    @_noLocks @_noAllocation
    public mutating func reset() {
        left = SectionState()
        right = SectionState()
        isFresh = true
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        settings: Settings
    ) {
        for i in 0..<8 {
            let band = settings.band(i)
            let before = self.settings.band(i)
            let isSame = band.shape == before.shape && band.frequency == before.frequency && band.gain == before.gain
                && band.q == before.q
            if isFresh || !isSame { target.set(i, .matched(band, rate: rate)) }
        }
        self.settings = settings
        if isFresh { now = target }
        isFresh = false
        var step = SectionBank.still
        let isMoving = !now.equals(target)
        if isMoving {
            let share = Glide.share(frames: frames, rate: rate)
            step = now.step(to: target, share: Double(share) / Double(frames))
        }
        var bank = now
        var (l, r) = (left, right)
        var time = 0
        let last = frames &+ 7
        while time < last {
            // A section's first and last frames are not those of its neighbours.
            let isEdge = time < 7 || time >= frames
            let newLeft = time < frames ? Double(leftSamples[time]) : 0
            let newRight = time < frames ? Double(rightSamples[time]) : 0
            if isEdge {
                l.step(bank, newLeft, time: time, frames: frames)
                r.step(bank, newRight, time: time, frames: frames)
            } else {
                l.step(bank, newLeft)
                r.step(bank, newRight)
            }
            if isMoving && time < frames { bank.advance(step) }
            if time >= 7 {
                leftSamples[time &- 7] = Float(l.y[7])
                rightSamples[time &- 7] = Float(r.y[7])
            }
            time = time &+ 1
        }
        (left, right) = (l, r)
        if isMoving { now = bank.settled(to: target) }
    }
}
