internal import CRealtime
internal import DSP

/// Eight bands, each a shelf, a peak or a pass of second order, shaped like the analogue circuit up to 20 kHz.
///
/// All eight sections of one side are one vector, each a frame behind the section before it, so that a frame
/// waits for one section instead of eight. At rest, sections are of transposed direct form II in double precision; when
/// a band changes, they become pairs of integrators on the way to the new filter, see ``IntegratorBank``. Bands that are
/// all off change no bit. No latency.
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
            @_noLocks @_noAllocation get { Shape(rawValue: Int(clamping: max(0, min(100, shape)))) ?? .off }
        }
    }

    /// What a band does; numbers beyond are off.
    public enum Shape: Int, CaseIterable, Sendable {
        case off, peak, lowShelf, highShelf, lowPass, highPass
    }

    public struct Settings: EffectSettings {
        public var band1, band2, band3, band4, band5, band6, band7, band8: Band

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
    private var direct = SectionBank()
    private var target = IntegratorBank()
    private var now = IntegratorBank()
    /// How far `now` goes in a frame.
    private var pace = IntegratorBank.still
    private var isFresh = true
    private var left = SectionState()
    private var right = SectionState()
    private var isWalking = false
    /// A bit for each band whose design is not its best yet, as it has just moved.
    private var rough: UInt8 = 0

    public let latency = 0

    public init(rate: Float, largestBlock: Int) { self.rate = rate }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int { Int(clamping: rate / 4) }

    @_noLocks @_noAllocation
    public mutating func reset() {
        left = SectionState()
        right = SectionState()
        isFresh = true
        isWalking = false
        pace = .still
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int,
        settings: Settings
    ) {
        let before = direct
        aim(settings)
        if isFresh { now = target }
        isFresh = false
        guard !now.equals(target) else { return rest(leftSamples, rightSamples, frames: frames) }
        if !isWalking {
            left.charge(now, before)
            right.charge(now, before)
            isWalking = true
        }
        walk(leftSamples, rightSamples, frames: frames)
        if now.equals(target) {
            left.discharge(now, direct)
            right.discharge(now, direct)
            isWalking = false
        }
    }

    /// Designs the bands that have changed: roughly while they move, and when they have come to rest as well as can be, one in a
    /// block.
    @_noLocks @_noAllocation
    private mutating func aim(_ settings: Settings) {
        var isRefined = false
        for i in 0..<8 {
            let band = settings.band(i)
            let before = self.settings.band(i)
            let isSame =
                band.shape == before.shape && band.frequency == before.frequency && band.gain == before.gain
                && band.q == before.q
            let bit: UInt8 = 1 << UInt8(truncatingIfNeeded: i)
            if isFresh {
                design(i, band, isRough: false)
                rough &= ~bit
            } else if !isSame {
                design(i, band, isRough: true)
                rough |= bit
            } else if rough & bit != 0 && !isRefined {
                design(i, band, isRough: false)
                rough &= ~bit
                isRefined = true
            }
        }
        self.settings = settings
    }

    @_noLocks @_noAllocation
    private mutating func design(_ index: Int, _ band: Band, isRough: Bool) {
        let section = Section.matched(band, rate: rate, isRough: isRough)
        direct.set(index, section ?? .through)
        if let section { target.set(index, section) } else { target.setThrough(index) }
    }

    @_noLocks @_noAllocation
    private mutating func rest(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int
    ) {
        let bank = direct
        var (l, r) = (left, right)
        var time = 0
        let last = frames &+ 7
        while time < last {
            let newLeft = time < frames ? Double(leftSamples[time]) : 0
            let newRight = time < frames ? Double(rightSamples[time]) : 0
            // A section's first and last frames are not those of its neighbours.
            if time < 7 || time >= frames {
                let before = (l, r)
                l.step(bank, newLeft)
                r.step(bank, newRight)
                l.hold(before.0, time: time, frames: frames)
                r.hold(before.1, time: time, frames: frames)
            } else {
                l.step(bank, newLeft)
                r.step(bank, newRight)
            }
            if time >= 7 {
                leftSamples[time &- 7] = Float(l.y[7])
                rightSamples[time &- 7] = Float(r.y[7])
            }
            time = time &+ 1
        }
        (left, right) = (l, r)
    }

    @_noLocks @_noAllocation
    private mutating func walk(
        _ leftSamples: UnsafeMutablePointer<Float>, _ rightSamples: UnsafeMutablePointer<Float>, frames: Int
    ) {
        let way = Double(Smoother.share(frames: frames, rate: rate))
        let aim = now.step(to: target, share: way, frames: frames)
        var (bank, step) = (now, pace)
        var (l, r) = (left, right)
        var time = 0
        let last = frames &+ 7
        while time < last {
            let newLeft = time < frames ? Double(leftSamples[time]) : 0
            let newRight = time < frames ? Double(rightSamples[time]) : 0
            let isEdge = time < 7 || time >= frames
            let before = (l, r, bank, step)
            step.lean(to: aim)
            bank.advance(step)
            if isEdge {
                step.hold(before.3, time: time, frames: frames)
                bank.hold(before.2, time: time, frames: frames)
            }
            let (share, band) = (bank.share, bank.band)
            l.step(bank, share: share, band: band, newLeft)
            r.step(bank, share: share, band: band, newRight)
            if isEdge {
                l.hold(before.0, time: time, frames: frames)
                r.hold(before.1, time: time, frames: frames)
            }
            if time >= 7 {
                leftSamples[time &- 7] = Float(l.y[7])
                rightSamples[time &- 7] = Float(r.y[7])
            }
            time = time &+ 1
        }
        (left, right) = (l, r)
        let isThere = bank.isNear(target, step: step)
        (now, pace) = isThere ? (target, .still) : (bank, step)
    }
}
