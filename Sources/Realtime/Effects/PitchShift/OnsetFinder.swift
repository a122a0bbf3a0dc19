internal import CRealtime
internal import DSP

/// Finds attacks: where the energy of the sound's slope rises to four times the largest of the last 27 ms, and stays above it.
///
/// The slope favours high frequencies, in which attacks stand out. The largest value, not the mean, is the measure, so
/// that the periods of a low voice are not attacks. The notes of a chord sometimes have their pulses at the same time, which is as
/// loud as an attack but soon over: an attack counts only when the 10 ms from there on, without their two largest
/// segments, are louder than the time before.
struct OnsetFinder: ~Copyable, Sendable {
    /// Number of segments that are compared.
    private static var compared: Int { @_noLocks @_noAllocation get { 40 } }
    private static var ratio: Float { @_noLocks @_noAllocation get { 4 } }
    /// Number of segments that confirm an attack.
    private static var confirming: Int { @_noLocks @_noAllocation get { 15 } }
    /// Ratio of the mean energies after and before an attack: without the largest segments, and, for clicks, with them.
    private static var rise: Float { @_noLocks @_noAllocation get { 3 } }
    private static var steepRise: Float { @_noLocks @_noAllocation get { 30 } }

    /// Samples in a segment, two thirds of a millisecond.
    private let segment: Int
    /// Shortest time between two attacks, samples.
    private let pause: Int
    private var energies = [40 of Float](repeating: 0)
    private var place = 0
    private var energy: Float = 0
    private var gathered = 0
    private var before = SIMD2<Float>.zero
    private var clock = 0
    private var last = -1 << 40
    /// A possible attack: its place, the mean energy before it, and segments since; negative for none.
    private var possible = 0
    private var meanBefore: Float = 0
    private var since = -1
    /// Energy of the segments since, and the two largest of them.
    private var risen: Float = 0
    private var largest = SIMD2<Float>.zero
    /// Attacks that have not been taken yet, in their order.
    private var waiting = [8 of Int](repeating: 0)
    private var count = 0

    init(rate: Float) {
        segment = max(8, Int(clamping: rate / 1500))
        pause = Int(clamping: rate * 0.05)
    }

    @_noLocks @_noAllocation
    mutating func reset() {
        for i in 0..<Self.compared { energies[i] = 0 }
        energy = 0
        gathered = 0
        before = .zero
        clock = 0
        last = -1 << 40
        since = -1
        count = 0
    }

    @_noLocks @_noAllocation @inline(__always)
    mutating func append(_ left: Lanes, _ right: Lanes, count: Int) {
        for i in 0..<count {
            let x = SIMD2(left[i], right[i])
            let slope = x - before
            before = x
            energy += slope[0] * slope[0] + slope[1] * slope[1]
            gathered = gathered &+ 1
            if gathered == segment { compare() }
        }
    }

    @_noLocks @_noAllocation
    private mutating func compare() {
        // Segments below -80 dBFS are not attacks.
        let least = Float(segment) * 1e-8
        var (most, sum): (Float, Float) = (least, 0)
        for i in 0..<Self.compared {
            most = max(most, energies[i])
            sum += energies[i]
        }
        if since < 0, energy > Self.ratio * most, clock &- last > pause {
            possible = max(0, clock &- segment / 2)
            meanBefore = max(least, sum / Float(Self.compared))
            since = 0
            risen = 0
            largest = .zero
        }
        if since >= 0 { confirm() }
        energies[place] = energy
        place = (place &+ 1) % Self.compared
        energy = 0
        gathered = 0
        clock = clock &+ segment
    }

    /// Adds a segment after a possible attack, and decides after the last one whether it is an attack.
    @_noLocks @_noAllocation
    private mutating func confirm() {
        risen += energy
        if energy > largest[0] {
            largest = SIMD2(energy, largest[0])
        } else if energy > largest[1] {
            largest[1] = energy
        }
        since = since &+ 1
        guard since == Self.confirming else { return }
        since = -1
        let all = risen / Float(Self.confirming)
        let others = (risen - largest[0] - largest[1]) / Float(Self.confirming &- 2)
        guard others > Self.rise * meanBefore || all > Self.steepRise * meanBefore, count < 8 else { return }
        waiting[count] = possible
        count = count &+ 1
        last = possible
    }

    /// The first attack after those that were taken; far in the future if there is none.
    var next: Int { @_noLocks @_noAllocation get { count > 0 ? waiting[0] : 1 << 60 } }

    /// Removes the first attack.
    @_noLocks @_noAllocation
    mutating func take() {
        count = count &- 1
        for i in 0..<count { waiting[i] = waiting[i &+ 1] }
    }
}
