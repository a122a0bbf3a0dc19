internal import CRealtime
internal import DSP
internal import Glibc

/// Weights that interpolate the sound field of the whole ring at any azimuth.
///
/// The field is a sum of circular harmonics, cos(m e) and sin(m e) up to m = N/2, fitted to the signals of the N
/// microphones; a weight is linear in the harmonics of the ear's azimuth, so that the audio thread only computes a
/// small product. On a uniform ring the fit has the closed form w = sin(N D/2) / (N tan(D/2)) (sin instead of tan for
/// odd N), with D from microphone to ear, expressed by its harmonics. On any other ring it is a least-squares fit with
/// a penalty on higher harmonics that is large enough to limit the amplification of capsule noise to ``loudest``: where
/// microphones are missing or nearly coincide, the fit would otherwise be unstable. Equal pressure at all microphones
/// is reproduced exactly.
///
/// Takes a few milliseconds to compute.
struct RingFit: ~Copyable, Sendable {
    /// Penalty of the highest harmonic, relative to one microphone's squared error; the m-th has (m / M)^6 of it. This is the first value
    /// that is tried: from 0.001 to 0.3 the error on rings with a dead microphone differs by less than 0.1 dB.
    static let penalty = 0.01
    /// Largest sum of squared weights: +6 dB for uncorrelated noise of the microphones.
    static let loudest = 4.0
    /// Largest deviation in degrees of a ring that counts as uniform.
    static let tolerance = 0.02

    // SAFETY: owned by this value alone, which cannot be copied. A row of 64 weights for each function: 1, cos e,
    // sin e, cos 2e...
    private nonisolated(unsafe) let table: UnsafeMutablePointer<Float>
    /// Highest harmonic.
    let order: Int
    private let channels: Int
    /// Whether the closed form is used.
    let isUniform: Bool

    /// - Parameters:
    ///   - azimuths: degrees, of the microphones that are not muted, rising.
    ///   - places: channel of each.
    ///   - channels: number of channels of the whole array.
    init(azimuths: [Double], places: [Int], channels: Int) {
        let count = azimuths.count
        isUniform = Self.isUniform(azimuths)
        // With dead microphones the order remains that of the complete ring: the undetermined harmonics give way to the
        // others, where the weights of an exact fit would grow.
        order = (isUniform ? count : channels) / 2
        self.channels = channels
        let functions = 2 * order + 1
        table = .allocate(capacity: functions * 64)
        table.initialize(repeating: 0, count: functions * 64)
        let radians = azimuths.map { $0 * .pi / 180 }
        let fit = isUniform ? Self.closedForm(radians, order) : Self.leastSquares(radians, order)
        for function in 0..<functions {
            for i in 0..<count { table[function * 64 + places[i]] = Float(fit[function][i]) }
        }
    }

    deinit { table.deallocate() }

    /// - Parameter azimuths: degrees, rising.
    static func isUniform(_ azimuths: [Double]) -> Bool {
        let step = 360 / Double(azimuths.count)
        return azimuths.enumerated().allSatisfy { abs($1 - azimuths[0] - Double($0) * step) < tolerance }
    }

    /// sin(N D/2) / (N tan(D/2)) = (1 + 2 sum of cos(m D) for 0 < m < N/2 + cos(N/2 D)) / N, the last for even N only.
    private static func closedForm(_ azimuths: [Double], _ order: Int) -> [[Double]] {
        let count = Double(azimuths.count)
        return (0...2 * order).map { function in
            let m = (function + 1) / 2
            let share = m == 0 || 2 * m == azimuths.count ? 1 / count : 2 / count
            return azimuths.map { share * harmonic(function, $0) }
        }
    }

    private static func harmonic(_ function: Int, _ azimuth: Double) -> Double {
        let m = Double((function + 1) / 2)
        return function % 2 == 1 ? cos(m * azimuth) : function == 0 ? 1 : sin(m * azimuth)
    }

    private static func leastSquares(_ azimuths: [Double], _ order: Int) -> [[Double]] {
        let functions = 2 * order + 1
        let basis = (0..<functions).map { function in azimuths.map { harmonic(function, $0) } }
        let normal = basis.map { row in basis.map { column in zip(row, column).reduce(0) { $0 + $1.0 * $1.1 } } }
        var penalty = penalty
        while true {
            var matrix = normal
            for function in 1..<max(functions, 1) {
                matrix[function][function] += penalty * pow(Double((function + 1) / 2) / Double(order), 6)
            }
            let fit = SymmetricSystem(matrix).solve(basis)
            // With an unlimited penalty only the mean of the microphones would be left, whose squared weights add up to one over their
            // number.
            if loudness(fit, azimuths) <= loudest || penalty > 1e12 { return fit }
            penalty *= 100
        }
    }

    /// Returns the largest sum of squared weights at the microphones and at three positions in each gap.
    private static func loudness(_ fit: [[Double]], _ azimuths: [Double]) -> Double {
        var largest = 0.0
        for (place, azimuth) in azimuths.enumerated() {
            let next = place == azimuths.count - 1 ? azimuths[0] + 2 * .pi : azimuths[place + 1]
            for quarter in 0..<4 {
                let ear = azimuth + (next - azimuth) * Double(quarter) / 4
                var weights = [Double](repeating: 0, count: azimuths.count)
                for (function, row) in fit.enumerated() {
                    let value = harmonic(function, ear)
                    for i in row.indices { weights[i] += value * row[i] }
                }
                largest = max(largest, weights.reduce(0) { $0 + $1 * $1 })
            }
        }
        return largest
    }

    /// Weight of every channel in a circular harmonic of the field: 1, cos e, sin e, cos 2e...
    @_noLocks @_noAllocation
    func row(_ function: Int) -> UnsafePointer<Float> { UnsafePointer(table + function &* 64) }

    /// Adds the weights of an ear at `azimuth` (degrees) to `weights`, one per channel, with room for 64.
    @_noLocks @_noAllocation
    func add(azimuth: Float, to weights: UnsafeMutablePointer<Float>) {
        var (c, s): (Float, Float) = (1, 0)
        rt_sine_cosine_turns(azimuth / 360, &s, &c)
        // Odd and even harmonics in two independent chains.
        let (c2, s2) = (c * c - s * s, 2 * c * s)
        var group = 0
        while group < channels {
            let column = table + group
            var odd = weights.lanes(group)
            var even = column.lanes(0)
            var (a, b) = (c, s)
            var (d, e) = (c2, s2)
            var m = 1
            while m <= order {
                let row = (2 &* m &- 1) &* 64
                odd = rt_fma16(column.lanes(row), Lanes(repeating: a), odd)
                odd = rt_fma16(column.lanes(row &+ 64), Lanes(repeating: b), odd)
                (a, b) = (a * c2 - b * s2, a * s2 + b * c2)
                if m < order {
                    even = rt_fma16(column.lanes(row &+ 128), Lanes(repeating: d), even)
                    even = rt_fma16(column.lanes(row &+ 192), Lanes(repeating: e), even)
                    (d, e) = (d * c2 - e * s2, d * s2 + e * c2)
                }
                m = m &+ 2
            }
            weights.setLanes(group, odd + even)
            group = group &+ laneCount
        }
    }
}
