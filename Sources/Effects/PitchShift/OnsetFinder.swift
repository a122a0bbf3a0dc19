internal import CRealtime
internal import DSP

/// Finds attacks: where the energy of the sound's slope rises to four times the largest of the last 27 ms.
///
/// The slope favours high frequencies, in which attacks stand out. The largest value, not the mean, is the measure, so
/// that the periods of a low voice are no attacks.
struct OnsetFinder: ~Copyable, Sendable {
    /// Number of segments that are compared.
    private static var compared: Int { @_noLocks @_noAllocation get { 40 } }
    private static var ratio: Float { @_noLocks @_noAllocation get { 4 } }

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
        // Segments below -80 dBFS are no attacks.
        var most = Float(segment) * 1e-8
        for i in 0..<Self.compared { most = max(most, energies[i]) }
        if energy > Self.ratio * most && clock &- last > pause && count < 8 {
            waiting[count] = max(0, clock &- segment / 2)
            count = count &+ 1
            last = clock
        }
        energies[place] = energy
        place = (place &+ 1) % Self.compared
        energy = 0
        gathered = 0
        clock = clock &+ segment
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
