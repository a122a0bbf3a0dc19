internal import CRealtime
internal import DSP

/// Shadow of a rigid sphere for a place on its surface, in the form of Brown and Duda (IEEE Transactions on
/// Speech and Audio Processing 6(5), 1998): Woodworth's delay, and a filter with one pole and one zero.
///
/// The pole is the same for all directions, so that the filter is the sum of a direct share and a share through a
/// low-pass that all ears share. Only the direct share depends on the direction.
///
/// Pole and share were fitted, by least squares in dB, to the series of ``Sphere`` from 0.1 to 16 kHz at all angles
/// (radius 8.75 cm): the mean error is 0.7 dB, against 1.9 dB with the coefficients of 1998. Beyond 150 degrees from the
/// place, in the bright spot, no filter of this order follows the series: the error is up to 12 dB.
public struct SphereShadow: BitwiseCopyable, Sendable {
    /// Largest radius, metres; a larger sphere is treated as one of this radius.
    public static var largest: Float { @_noLocks @_noAllocation get { 0.2 } }
    /// The pole, in units of speed of sound over radius.
    private static var pole: Float { @_noLocks @_noAllocation get { 3.2276 } }

    /// Time that sound takes for one radius, samples.
    private let samplesPerRadius: Float
    private let feed: Float
    private let feedback: Float

    /// - Parameters:
    ///   - radius: metres.
    ///   - rate: frames per second.
    @_noLocks @_noAllocation
    public init(radius: Float, rate: Float) {
        let radius = min(max(radius, 0.01), Self.largest)
        samplesPerRadius = radius / MicrophoneArray.speedOfSound * rate
        // The bilinear transform, s = 2 rate (1 - 1/z) / (1 + 1/z).
        let edge = Self.pole * MicrophoneArray.speedOfSound / radius
        feed = edge / (edge + 2 * rate)
        feedback = (2 * rate - edge) / (2 * rate + edge)
    }

    /// Longest delay for any radius, samples.
    public static func longestDelay(rate: Float) -> Int {
        Int(clamping: (1 + .pi / 2) * largest / MicrophoneArray.speedOfSound * rate) + 1
    }

    /// Delay at two places relative to the point of the sphere that the wave meets first, samples.
    ///
    /// - Parameter cosine: cosines of the angles between each place and the direction of arrival.
    @_noLocks @_noAllocation @inline(__always)
    public func delay(cosine: SIMD2<Float>) -> SIMD2<Float> {
        // Straight on the lit side; around the sphere in the shadow, from where the wave grazes it.
        let behind = SIMD2(min(1, max(0, -cosine[0])), min(1, max(0, -cosine[1])))
        let along = 1 - behind * behind
        let arc = ArcTangent.angles(y: behind, x: SIMD2(rt_sqrt(along[0]), rt_sqrt(along[1])))
        let ahead = SIMD2(min(1, max(0, cosine[0])), min(1, max(0, cosine[1])))
        return samplesPerRadius * (1 - ahead + arc)
    }

    /// Direct share; the rest, up to 1, passes through the low-pass.
    @_noLocks @_noAllocation @inline(__always)
    public static func direct(cosine c: SIMD2<Float>) -> SIMD2<Float> {
        1.33663 + c * (1.49091 + c * (-0.12042 + c * -0.58758))
    }

    /// Applies the low-pass to a row; both rows have a sample before their first.
    ///
    /// - Parameters:
    ///   - input: read from the sample before the first on.
    ///   - output: written in whole ``Lanes``; the sample before its first is the filter's state.
    @_noLocks @_noAllocation
    public func lowPass(_ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, frames: Int) {
        let (p1, p2) = (feedback, feedback * feedback)
        let p4 = p2 * p2
        let p8 = p4 * p4
        let quad = SIMD4(p1, p2, p2 * p1, p4)
        let eight = SIMD8(lowHalf: quad, highHalf: quad * p4)
        let powers = Lanes(lowHalf: eight, highHalf: eight * p8)
        let count = Lanes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
        func from(_ place: Float, _ power: Float) -> Lanes {
            rt_select_less16(Lanes(repeating: place), count, Lanes(repeating: power), .zero)
        }
        let (power1, power2, power4, power8) = (from(1, p1), from(2, p2), from(4, p4), from(8, p8))
        var frame = 0
        while frame < frames {
            let x = (input.lanes(frame) + input.lanes(frame &- 1)) * feed
            let before = Lanes(repeating: output[frame &- 1])
            output.setLanes(frame, rt_fma16(powers, before, rt_scan16(x, power1, power2, power4, power8)))
            frame = frame &+ laneCount
        }
    }
}
