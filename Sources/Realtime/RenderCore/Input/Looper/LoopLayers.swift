internal import CRealtime
internal import DSP
internal import Glibc

/// Memory of a loop: two layers of stereo sound, of which one is heard and the other is the layer before, or the one to come back.
///
/// For one thread at a time; the initializer allocates all memory.
struct LoopLayers: ~Copyable, Sendable {
    /// Coefficients on each side of a place between two frames.
    private static var reach: Int { @_noLocks @_noAllocation get { 16 } }

    let capacity: Int
    // SAFETY: owned by this value alone, which cannot be copied: left and right of the first layer, then of the second.
    private nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
    // SAFETY: as above; half of a symmetrical low-pass.
    private nonisolated(unsafe) let taps: UnsafeMutablePointer<Float>

    /// - Parameter capacity: longest loop, frames.
    init(capacity: Int) {
        self.capacity = capacity
        samples = .allocate(capacity: 4 * capacity)
        // Written, so that the audio thread meets no page that is not there yet.
        samples.initialize(repeating: 0, count: 4 * capacity)
        taps = .allocate(capacity: Self.reach)
        let design = Self.design()
        taps.initialize(from: design, count: Self.reach)
    }

    deinit {
        samples.deallocate()
        taps.deallocate()
    }

    /// A Kaiser window of 75 dB around a sinc, between the frames: flat to 0.85 of half the rate.
    private static func design() -> [Float] {
        let beta = 0.1102 * (75 - 8.7)
        let taps = (0..<reach).map { place in
            let x = Double(place) + 0.5
            let inner = 1 - (x / Double(reach)) * (x / Double(reach))
            return sin(.pi * x) / (.pi * x) * bessel(beta * inner.squareRoot())
        }
        let sum = 2 * taps.reduce(0, +)
        return taps.map { Float($0 / sum) }
    }

    /// The modified Bessel function of the first kind and order zero, by its power series.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for k in 1...30 {
            term *= x * x / Double(4 * k * k)
            sum += term
        }
        return sum
    }

    /// Samples of one side of a layer.
    /// - Parameter side: 0 for left, 1 for right.
    @_noLocks @_noAllocation @inline(__always)
    func row(_ layer: Int, _ side: Int) -> UnsafeMutablePointer<Float> { samples + (2 &* layer &+ side) &* capacity }

    /// Copies a part of one layer to the other.
    @_noLocks @_noAllocation
    func copy(to layer: Int, from place: Int, frames: Int) {
        for side in 0..<2 { rt_copy(row(layer, side) + place, row(1 &- layer, side) + place, frames) }
    }

    /// One frame of a layer.
    ///
    /// - Parameters:
    ///   - position: in halves of a frame.
    ///   - length: of the loop, frames.
    @_noLocks @_noAllocation
    func frame(_ layer: Int, _ position: Int, length: Int) -> SIMD2<Float> {
        let (left, right) = (row(layer, 0), row(layer, 1))
        let place = position >> 1
        if position & 1 == 0 { return SIMD2(left[place], right[place]) }
        var sum = SIMD2<Float>(0, 0)
        for k in 0..<Self.reach {
            let before = place &- k < 0 ? place &- k &+ length : place &- k
            let after = place &+ 1 &+ k >= length ? place &+ 1 &+ k &- length : place &+ 1 &+ k
            sum += taps[k] * SIMD2(left[before] + left[after], right[before] + right[after])
        }
        return sum
    }
}
