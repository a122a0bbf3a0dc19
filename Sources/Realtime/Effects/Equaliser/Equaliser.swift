internal import CRealtime
internal import DSP

/// Eight bands, each a second-order shelf, peak or pass filter that matches the analogue response up to 20 kHz.
///
/// All eight sections of one side form one vector, each a frame behind the previous section, so that a frame depends on
/// one section instead of eight. At rest, sections are in transposed direct form II in double precision; while a band
/// changes, they are pairs of integrators, see ``IntegratorBank``. With all bands off, the output equals the input
/// exactly. No latency.
public struct Equaliser: ~Copyable, Effect {
    /// One band.
    public struct Band: BitwiseCopyable, Sendable, Equatable {
        /// Number of a ``Shape``.
        public var shape: Float
        /// Hz, 20 to 20,000: centre of a peak, -3 dB point of a pass filter at Q 0.71, middle of a shelf's slope.
        public var frequency: Float
        /// Gain of shelves and peaks, dB, -18 to 18.
        public var gain: Float
        /// 0.1 to 10: a peak's frequency divided by its width at half its gain in dB. At most 1 for shelves.
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

        /// True when the band has no effect.
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

    /// Type of a band; any other number is off.
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
    /// Change of `now` per frame.
    private var pace = IntegratorBank.still
    private var isFresh = true
    private var left = SectionState()
    private var right = SectionState()
    private var isRamping = false
    /// A bit for each band whose design is approximate because it has just moved.
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
        isRamping = false
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
        if !isRamping {
            left.charge(now, before)
            right.charge(now, before)
            isRamping = true
        }
        ramp(leftSamples, rightSamples, frames: frames)
        if now.equals(target) {
            left.discharge(now, direct)
            right.discharge(now, direct)
            isRamping = false
        }
    }

    /// Designs the bands that have changed: approximately while they move, and accurately when they have come to rest,
    /// one per block.
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
            // The first and last frames of a section differ from those of its neighbours.
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
    private mutating func ramp(
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
