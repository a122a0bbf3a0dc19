internal import CRealtime
internal import DSP

/// The sixteen lines of ``Reverb`` with their filters.
struct ReverbNetwork: ~Copyable, Sendable {
    /// Number of modulated lines: the first ones.
    private static var swaying: Int { @_noLocks @_noAllocation get { 8 } }

    /// Lengths of the lines of a hall, 29 to 83 ms, in an order that separates similar ones.
    private static var lengths: Lanes {
        @_noLocks @_noAllocation get {
            Lanes(
                31.37, 53.81, 41.23, 71.93, 29.71, 61.57, 47.59, 83.11, 33.49, 57.73, 37.87, 77.41, 44.53, 66.29, 50.21,
                35.63)
        }
    }

    private let rate: Float
    private var lines: LineBank
    /// Output of each line, sixteen frames.
    private let rows = Row(16 * 16)
    private var highs = [16 of LowPass](repeating: LowPass())
    private var lows = [16 of LowPass](repeating: LowPass())
    /// Phase of each line's modulation in turns, and its sine; a period is one to three seconds.
    private var turns = Lanes.zero
    private var waves = Lanes.zero
    private let turnsPerFrame: Lanes
    private var size = Smoother()
    private var sway = Smoother()
    private var decay = Smoother()
    private var bass = Smoother()
    private var treble = Smoother()
    private let highPole: LowPass.Coefficients
    private let lowPole: LowPass.Coefficients
    private var sizes = Ramp(from: 1, step: 0)
    private var sways = Ramp(from: 0, step: 0)
    /// Delay of each line in whole samples at the start of the block.
    private var wholes = [16 of Int](repeating: 0)
    private var middles = [16 of Ramp](repeating: Ramp(from: 0, step: 0))
    /// Gain of each line at the end of the block; -1 before the first.
    private var middleEnd = Lanes(repeating: -1)
    private var highShares = [16 of Float](repeating: 0)
    private var lowShares = [16 of Float](repeating: 0)
    /// Whether the bass has a different decay; otherwise its filter is skipped.
    private var isBassApart = false

    init(rate: Float) {
        self.rate = rate
        lines = LineBank(longest: Int(clamping: Self.lengths.max() * rate / 1000 * 2.001) + 64)
        turnsPerFrame = (rt_fma16(Ramp.count, rt_all16(0.083), rt_all16(0.23))) * (1 / rate)
        highPole = .init(cutoff: 5000, rate: rate)
        lowPole = .init(cutoff: 200, rate: rate)
        restart()
    }

    /// Sets initial phases an eighth of a turn apart.
    @_noLocks @_noAllocation
    private mutating func restart() {
        turns = rt_fold16(Ramp.count * 0.125)
        waves = rt_sine16(turns)
    }

    @_noLocks @_noAllocation
    mutating func reset() {
        lines.reset()
        for i in 0..<LineBank.count {
            highs[i].reset()
            lows[i].reset()
        }
        restart()
        size.reset()
        sway.reset()
        decay.reset()
        bass.reset()
        treble.reset()
        middleEnd = rt_all16(-1)
    }

    /// Computes the settings of each line for the coming block.
    @_noLocks @_noAllocation
    mutating func prepare(_ settings: Reverb.Settings, frames: Int, share: Float, slow: Float) {
        sizes = size.ramp(to: max(0.05, settings.size), share: slow, frames: frames)
        sways = sway.ramp(to: settings.modulation * 0.0005 * rate, share: slow, frames: frames)
        let seconds = decay.advance(to: max(0.05, settings.decay), share: share)
        let bass = bass.advance(to: max(0.1, settings.bass), share: share)
        let treble = treble.advance(to: max(0.05, 1 - 0.9 * settings.damping), share: share)
        // Length of each line in samples, and the binary logarithm of its gain for 60 dB in the decay time.
        let samples = rt_floor16(Self.lengths * (sizes.from * rate / 1000))
        let loss = samples * (-9.9657843 / (seconds * rate))
        // Divided by four: the Hadamard matrix of order 16 has a gain of four.
        let wanted = rt_exp2_16(loss - 2)
        let from = middleEnd[0] < 0 ? wanted : middleEnd
        let step = (wanted - from) * (1 / Float(frames))
        middleEnd = wanted
        isBassApart = bass != 1
        let high = 1 - rt_exp2_16(loss * (1 / treble - 1))
        let low = rt_exp2_16(loss * (1 / bass - 1)) - 1
        for i in 0..<LineBank.count {
            wholes[i] = Int(clamping: samples[i])
            middles[i] = Ramp(from: from[i], step: step[i])
            highShares[i] = high[i]
            lowShares[i] = low[i]
        }
    }

    /// Processes one vector of frames in place.
    @_noLocks @_noAllocation @inline(__always)
    mutating func process(_ left: inout Lanes, _ right: inout Lanes, frame: Int, count: Int) {
        let rows = rows.samples
        let isResting = sizes.isConstant
        // A slow sine is approximated by a straight line over sixteen frames.
        turns = rt_fold16(turns + turnsPerFrame * Float(count))
        let waves = rt_sine16(turns)
        let amount = sways.value(at: frame &- 1)
        let sway = (self.waves + 1) * amount
        let slope = (waves - self.waves) * (amount / Float(count))
        self.waves = waves
        let bassApart = isBassApart
        for i in 0..<LineBank.count {
            let x: Lanes
            if isResting && i >= Self.swaying {
                x = lines.read(i, wholes[i])
            } else {
                var further = Lanes.zero
                if i < Self.swaying { further = rt_fma16(Ramp.count, rt_all16(slope[i]), rt_all16(sway[i])) }
                if isResting {
                    x = lines.readSlow(i, wholes[i], further: further)
                } else {
                    let length = sizes.lanes(frame) * (Self.lengths[i] * rate / 1000) - Float(wholes[i])
                    x = lines.read(i, wholes[i], further: length + further)
                }
            }
            let high = highs[i].lowPass(x, count: count, highPole)
            // Middle frequencies unchanged, high and low ones by first-order shelves.
            var y = rt_fma16(rt_all16(highShares[i]), high - x, x)
            if bassApart {
                y = rt_fma16(rt_all16(lowShares[i]), lows[i].lowPass(x, count: count, lowPole), y)
            }
            rows.setLanes(16 &* i, y * middles[i].lanes(frame))
        }
        let (inLeft, inRight) = (left, right)
        (left, right) = taken(rows)
        rt_hadamard16(rows)
        for i in 0..<LineBank.count {
            // Sides enter alternate lines, with signs that keep them from adding up in any one.
            let entering = i & 1 == 0 ? inLeft : inRight
            let mixed = rows.lanes(16 &* i)
            lines.write(i, i & 2 == 0 ? mixed + entering : mixed - entering)
        }
        lines.advance(count)
    }

    /// Returns two sums with orthogonal signs.
    @_noLocks @_noAllocation @inline(__always)
    private func taken(_ rows: UnsafeMutablePointer<Float>) -> (Lanes, Lanes) {
        var (left, right) = (Lanes.zero, Lanes.zero)
        for i in 0..<LineBank.count {
            let x = rows.lanes(16 &* i)
            left = i & 4 == 0 ? left + x : left - x
            right = (i & 4 == 0) == (i & 1 == 0) ? right + x : right - x
        }
        return (left, right)
    }
}
