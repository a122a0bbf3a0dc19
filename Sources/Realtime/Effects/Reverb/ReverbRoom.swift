internal import CRealtime
internal import DSP

/// One room of ``Reverb``: its reflections, and a network of 32 lines for the late part. Its size never changes.
struct ReverbRoom: ~Copyable, Sendable {
    /// Number of modulated lines, the first ones: each ringing resonance is carried by a few of them, and interpolation, which weakens
    /// high frequencies, spares the others.
    private static var swaying: Int { @_noLocks @_noAllocation get { 24 } }

    /// Lengths of the lines of a hall, 20 to 240 ms on a logarithmic scale with random deviations, in random order: short ones for
    /// an early beginning, long ones for many resonances.
    private static var lengths: (Lanes, Lanes) {
        @_noLocks @_noAllocation get {
            (
                Lanes(
                    25.99, 50.2, 99.24, 174.1, 215.06, 151.87, 29.46, 40.62, 59.22, 30.97, 103.13, 86.44, 227.64, 20.85,
                    69.54, 33.58),
                Lanes(
                    50.82, 90.44, 112.01, 124.01, 76.09, 177.84, 22.2, 196.73, 145.33, 39.24, 24.04, 63.25, 136.78, 68.14,
                    43.65, 35.34)
            )
        }
    }

    /// Lengths of the lines relative to those of a hall. The number of resonances is the sum of all lengths: a small
    /// room, too, needs enough of them to overlap, so its lines are longer than the room.
    @_noLocks @_noAllocation
    private static func scale(size: Float) -> Float { rt_exp2(0.4 * rt_log10(size) * 3.3219281) }

    /// Energy of the response at middle frequencies, whatever size and decay.
    private static var energy: Float { @_noLocks @_noAllocation get { 2 } }

    private let rate: Float
    private var lines: LineBank
    private var early: EarlyReflections
    private(set) var size: Float = 0
    /// Pre-delay, samples.
    private(set) var wait = 0
    /// Output of each line, sixteen frames.
    private let rows = Row(32 * 16)
    private var highs = [32 of LowPass](repeating: LowPass())
    private var lows = [32 of LowPass](repeating: LowPass())
    /// Phase of each line's modulation in turns, and its sine; a period is 4 to 26 s: slow, so that a deep modulation, which moves low
    /// resonances as well, does not change the pitch.
    private var turns = (Lanes.zero, Lanes.zero)
    private var waves = (Lanes.zero, Lanes.zero)
    private let turnsPerFrame: (Lanes, Lanes)
    private let highPole: LowPass.Coefficients
    private let lowPole: LowPass.Coefficients
    private var sways = Ramp(from: 0, step: 0)
    /// Delay of each line in samples, the same as whole numbers, and their mean.
    private var samples = (Lanes.zero, Lanes.zero)
    private var wholes = [32 of Int](repeating: 0)
    private var middles = [32 of Ramp](repeating: Ramp(from: 0, step: 0))
    /// Gain of each line and of the network's input at the end of the block.
    private var middleEnd = (Lanes.zero, Lanes.zero)
    private var drive = Ramp(from: 0, step: 0)
    private var driveEnd: Float = 0
    private var isPrepared = false
    private var highShares = [32 of Float](repeating: 0)
    private var lowShares = [32 of Float](repeating: 0)
    /// Whether the bass has a different decay; otherwise its filter is skipped.
    private var isBassApart = false

    /// - Parameter largest: the largest size.
    init(rate: Float, largest: Float) {
        self.rate = rate
        let longest = max(Self.lengths.0.max(), Self.lengths.1.max()) * Self.scale(size: largest)
        lines = LineBank(longest: Int(clamping: longest * rate / 1000 + Reverb.depth * rate) + 64)
        early = EarlyReflections(rate: rate)
        turnsPerFrame = (
            rt_fma16(Ramp.count, rt_all16(0.00706), rt_all16(0.039)) * (1 / rate),
            rt_fma16(Ramp.count, rt_all16(0.00706), rt_all16(0.152)) * (1 / rate)
        )
        highPole = .init(cutoff: 5000, rate: rate)
        lowPole = .init(cutoff: 200, rate: rate)
    }

    /// Clears all lines.
    @_noLocks @_noAllocation
    mutating func clear() {
        for i in 0..<LineBank.count { clear(i) }
    }

    /// Clears one line, since clearing all of them in one block would take too long.
    @_noLocks @_noAllocation
    mutating func clear(_ line: Int) {
        lines.clear(line)
        highs[line].reset()
        lows[line].reset()
    }

    /// Sets the size and the pre-delay of the room, which is clear.
    ///
    /// - Parameter wait: pre-delay, samples.
    @_noLocks @_noAllocation
    mutating func begin(size: Float, wait: Int) {
        self.size = size
        self.wait = wait
        early.begin(size: size, wait: wait)
        let start = rt_fold16(Ramp.count * 0.125)
        turns = (start, start)
        waves = (rt_sine16(start), rt_sine16(start))
        isPrepared = false
        let scale = Self.scale(size: size) * rate / 1000
        samples = (rt_floor16(Self.lengths.0 * scale), rt_floor16(Self.lengths.1 * scale))
        for i in 0..<16 {
            wholes[i] = Int(clamping: samples.0[i])
            wholes[i + 16] = Int(clamping: samples.1[i])
        }
    }

    /// Computes gains and filters of the coming block.
    ///
    /// - Parameter sways: depth of the modulation, samples.
    @_noLocks @_noAllocation
    mutating func prepare(_ decay: RoomDecay, sways: Ramp, frames: Int) {
        self.sways = sways
        // Binary logarithm of the gain of one second, for 60 dB in the decay time.
        let second = -9.9657843 / decay.seconds
        let loss = (samples.0 * (second / rate), samples.1 * (second / rate))
        let kept = (rt_exp2_16(2 * loss.0), rt_exp2_16(2 * loss.1))
        // An impulse loses all but this share of its energy each time it passes through the lines.
        let share = min(0.9999, (rt_sum16(kept.0) + rt_sum16(kept.1)) / Float(LineBank.count))
        let time = (rt_sum16(samples.0) + rt_sum16(samples.1)) / (Float(LineBank.count) * rate)
        let power = Self.energy / (early.energy(loss: second) + time * share / (1 - share))
        early.prepare(loss: second, power: power, treble: decay.treble, frames: frames)
        let driven = rt_sqrt(power * time)
        // Divided by the root of 32, the gain of the Hadamard matrix.
        let wanted = (rt_exp2_16(loss.0 - 2.5), rt_exp2_16(loss.1 - 2.5))
        let from = isPrepared ? middleEnd : wanted
        drive = Ramp(from: isPrepared ? driveEnd : driven, to: driven, frames: frames)
        isPrepared = true
        middleEnd = wanted
        driveEnd = driven
        isBassApart = decay.bass != 1
        let high = (1 - rt_exp2_16(loss.0 * (1 / decay.treble - 1)), 1 - rt_exp2_16(loss.1 * (1 / decay.treble - 1)))
        let low = (rt_exp2_16(loss.0 * (1 / decay.bass - 1)) - 1, rt_exp2_16(loss.1 * (1 / decay.bass - 1)) - 1)
        for i in 0..<16 {
            middles[i] = Ramp(from: from.0[i], to: wanted.0[i], frames: frames)
            middles[i + 16] = Ramp(from: from.1[i], to: wanted.1[i], frames: frames)
            (highShares[i], highShares[i + 16]) = (high.0[i], high.1[i])
            (lowShares[i], lowShares[i + 16]) = (low.0[i], low.1[i])
        }
    }

    /// Returns the room's sound of one vector of frames, left and right.
    ///
    /// - Parameter share: share of the input that enters this room.
    @_noLocks @_noAllocation @inline(__always)
    mutating func process(_ entry: borrowing ReverbEntry, share: Lanes, frame: Int, count: Int) -> (Lanes, Lanes) {
        let (first, second) = early.process(entry, frame: frame, count: count)
        readLines(frame: frame, count: count)
        let rows = rows.samples
        let (left, right) = taken(rows)
        rt_hadamard16(rows)
        rt_hadamard16(rows + 256)
        let gain = drive.lanes(frame) * share
        let (inLeft, inRight) = (entry.diffuseLeft.read(wait) * gain, entry.diffuseRight.read(wait) * gain)
        for i in 0..<16 {
            // Sides enter alternate lines, with signs that keep them from adding up in any one.
            let entering = i & 1 == 0 ? inLeft : inRight
            let entered = i & 2 == 0 ? entering : -entering
            let (x, y) = (rows.lanes(16 &* i), rows.lanes(256 &+ 16 &* i))
            lines.write(i, x + y + entered)
            lines.write(i &+ 16, x - y + entered)
        }
        lines.advance(count)
        return (rt_fma16(first, share, left), rt_fma16(second, share, right))
    }

    /// Reads and filters all lines.
    @_noLocks @_noAllocation @inline(__always)
    private mutating func readLines(frame: Int, count: Int) {
        // A slow sine is approximated by a straight line over sixteen frames.
        turns.0 = rt_fold16(turns.0 + turnsPerFrame.0 * Float(count))
        turns.1 = rt_fold16(turns.1 + turnsPerFrame.1 * Float(count))
        let waves = (rt_sine16(turns.0), rt_sine16(turns.1))
        let amount = sways.value(at: frame &- 1)
        let sway = (self.waves.0 * amount, self.waves.1 * amount)
        let slope = ((waves.0 - self.waves.0) * (amount / Float(count)), (waves.1 - self.waves.1) * (amount / Float(count)))
        self.waves = waves
        for i in 0..<16 {
            let further = Ramp(from: sway.0[i], step: slope.0[i]).lanes(0)
            filter(i, lines.readSlow(i, wholes[i], further: further), frame, count)
        }
        for i in 0..<16 {
            let line = i &+ 16
            let further = Ramp(from: sway.1[i], step: slope.1[i]).lanes(0)
            let x = line < Self.swaying ? lines.readSlow(line, wholes[line], further: further) : lines.read(line, wholes[line])
            filter(line, x, frame, count)
        }
    }

    /// Filters the output of line `i` and writes it to its row: middle frequencies unchanged, high and low ones by first-order shelves.
    @_noLocks @_noAllocation @inline(__always)
    private mutating func filter(_ i: Int, _ x: Lanes, _ frame: Int, _ count: Int) {
        let high = highs[i].lowPass(x, count: count, highPole)
        var y = rt_fma16(rt_all16(highShares[i]), high - x, x)
        if isBassApart {
            y = rt_fma16(rt_all16(lowShares[i]), lows[i].lowPass(x, count: count, lowPole), y)
        }
        rows.samples.setLanes(16 &* i, y * middles[i].lanes(frame))
    }

    /// Returns the output of the lines, left and right: two sums with orthogonal signs.
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
