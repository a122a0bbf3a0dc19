internal import CRealtime
internal import Glibc

/// Correction of the ring's weights for an ear above or below the ring's plane: filters of ``ElevationTerms``, and the weights of their
/// rows. Without them the ear is rendered at its azimuth in the plane.
///
/// Takes a few milliseconds to compute.
public struct ElevationFilters: ~Copyable, Sendable {
    /// Taps before the current sample.
    public static var ahead: Int { @_noLocks @_noAllocation @inlinable get { 12 } }
    /// Taps in a filter.
    public static var taps: Int { @_noLocks @_noAllocation @inlinable get { ahead + 33 } }
    /// Radius of the sphere divided by the time between two taps, metres per second: 2 samples at 48 kHz and the standard radius.
    private static let metresPerSecond = MicrophoneArray.standardRadius * 24_000
    /// Elevation up to which an ear counts as in the plane, degrees: a head that is held upright takes no further computation.
    private static var least: Float { @_noLocks @_noAllocation get { 3 } }
    /// Sine of the elevation, 2 degrees, above which the scene prepares the rows, so that they are ready when they are needed.
    public static var nearby: Float { @_noLocks @_noAllocation @inlinable get { 0.0349 } }
    /// Rows of the table: whole degrees from 0 to 90, and one more.
    private static let angles = 92

    /// Samples between two taps.
    let stride: Int
    // SAFETY: both are owned by this value alone, which cannot be copied, and do not change after `init`.
    private nonisolated(unsafe) let filters: UnsafeMutablePointer<Float>
    // SAFETY: as above. Weight of each term at each degree.
    private nonisolated(unsafe) let table: UnsafeMutablePointer<Float>

    /// - Parameters:
    ///   - radius: radius of the sphere, metres.
    ///   - rate: frames per second.
    init(radius: Float, rate: Float) {
        stride = Self.stride(radius: radius, rate: rate)
        let samples = Double(radius / MicrophoneArray.speedOfSound * rate)
        filters = .allocate(capacity: ElevationTerms.count * Self.taps)
        table = .allocate(capacity: Self.angles * ElevationTerms.count)
        for (term, taps) in ElevationDesign.shared(spacing: Double(stride) / samples).taps.enumerated() {
            for (place, tap) in taps.enumerated() { (filters + term * Self.taps + place).initialize(to: tap) }
        }
        for angle in 0..<Self.angles {
            let sine = sin(min(Double(angle), 90) * .pi / 180)
            var term = 0
            for m in 0...ElevationTerms.orders {
                for n in ElevationTerms.degrees(order: m) {
                    let weight = angle == 0 ? 0 : ElevationTerms.ratio(order: m, degree: n, sine: sine) - 1
                    (table + angle * ElevationTerms.count + term).initialize(to: Float(weight))
                    term += 1
                }
            }
        }
    }

    deinit {
        filters.deallocate()
        table.deallocate()
    }

    /// Largest distance between two taps, samples: the filters of a sphere larger than 22 cm are shorter than they should be.
    public static func longestStride(rate: Float) -> Int { Int(clamping: (5 * rate / 48_000).rounded(.up)) }

    private static func stride(radius: Float, rate: Float) -> Int {
        let wanted = Double(radius) * Double(rate) / metresPerSecond
        return min(max(Int(clamping: wanted + 0.75), 1), longestStride(rate: rate))
    }

    /// Samples before and after the current one that a filter reads.
    @_noLocks @_noAllocation
    public static func span(stride: Int) -> (past: Int, coming: Int) {
        ((taps &- 1 &- ahead) &* stride, ahead &* stride)
    }

    /// The taps of a term, that of the oldest sample first.
    @_noLocks @_noAllocation
    func filter(_ term: Int) -> UnsafePointer<Float> { UnsafePointer(filters + term &* Self.taps) }

    /// Elevation at which an ear is rendered, degrees from 0 to 90: 0 up to ``least``, the true one from twice ``least`` on.
    @_noLocks @_noAllocation
    public static func heard(_ elevation: Float) -> Float {
        let height = min(max(elevation, -elevation), 90)
        return height >= 2 * least ? height : max(0, 2 * (height - least))
    }

    /// Adds the weights of the rows for an ear.
    ///
    /// - Parameters:
    ///   - azimuth: degrees.
    ///   - elevation: degrees from 0 to 90, above or below the plane.
    ///   - weights: one per row of ``ElevationTerms``.
    @_noLocks @_noAllocation
    func add(azimuth: Float, elevation: Float, to weights: UnsafeMutablePointer<Float>) {
        var (c, s): (Float, Float) = (1, 0)
        rt_sine_cosine_turns(azimuth / 360, &s, &c)
        let angle = min(rt_whole(elevation), 89)
        let share = elevation - Float(angle)
        let column = table + angle &* ElevationTerms.count
        var (x, y): (Float, Float) = (1, 0)
        var (term, row, m) = (0, 0, 0)
        while m <= ElevationTerms.orders {
            let count = ElevationTerms.count(order: m)
            for i in 0..<count {
                let from = column[term &+ i]
                let value = from + (column[term &+ i &+ ElevationTerms.count] - from) * share
                weights[row &+ i] += value * x
                if m > 0 { weights[row &+ count &+ i] += value * y }
            }
            term = term &+ count
            row = row &+ (m == 0 ? count : 2 &* count)
            (x, y) = (x * c - y * s, x * s + y * c)
            m = m &+ 1
        }
    }
}
