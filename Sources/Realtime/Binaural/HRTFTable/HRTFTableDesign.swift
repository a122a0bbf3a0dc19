internal import DSP
internal import Glibc

/// Designs the filters of an ``HRTFTable`` from a measured head.
///
/// A response is separated into a delay and a filter of minimum phase. Both are interpolated between the measured directions by a
/// ``SphericalSpline``, the filter by the logarithms of its magnitudes. The delay is the one with which the minimum-phase response is most
/// like the measured one from 300 Hz to 2 kHz, where hearing follows differences of time (J. Nam, M. Kolar, J. Abel, "On the
/// minimum-phase nature of head-related transfer functions", AES 125, 2008).
public struct HRTFTableDesign: Sendable {
    /// Angle between rings of the table, degrees.
    public static let step = 2.5
    /// Range in which delays are compared, Hz.
    private static let compared = 300.0...2000.0
    /// Range of delays relative to the head's centre that is searched, and its step, seconds.
    private static let range = -0.0006...0.0014
    private static let fine = 0.000_02
    /// Smallest magnitude relative to the largest one; smaller ones are raised to it.
    private static let least = 1e-4
    /// Share of the measurement's rate from which on the magnitude stays the same.
    private static let top = 0.42

    /// Radius of the measured head, estimated from the phases at its ears, metres.
    public let measuredRadius: Double
    private let rate: Double
    private let count: Int
    private let spline: SphericalSpline
    /// Logarithms of the equalisation's gains.
    private let gains: [Float]
    private let scale: Double

    /// - Parameters:
    ///   - rate: rate of the engine, frames per second.
    ///   - headRadius: radius to which the responses are scaled in time, metres; 0 for no scaling.
    public init(_ responses: HeadResponses, rate: Double, headRadius: Double = 0, equalisation: HRTFEqualisation = .neutral) {
        let count = 8 * HRTFFrame(rate: Float(rate)).part
        let (bins, spacing) = (count / 2 + 1, rate / Double(count))
        let head = MeasuredHead(responses, spacing: spacing, count: bins, headRadius: headRadius, equalisation: equalisation)
        let last = min(bins - 1, Int(clamping: Self.top * head.rate / spacing))
        let largest = head.responses.joined().joined().reduce(0) { max($0, $1.magnitude) }
        let phase = MinimumPhase(count: count)
        // In this unit, delays are of the same order of magnitude as the logarithms.
        scale = 1e4
        var values: [[Float]] = []
        for direction in head.directions.units.indices {
            var row: [Float] = []
            var delays: [Float] = []
            for ear in 0..<2 {
                let response = head.responses.map { $0[ear][direction] }
                let logs = (0..<bins).map { Float(log(max(response[min($0, last)].magnitude, Self.least * largest))) }
                let delay = Self.delay(response, phase.phases(logs), spacing: spacing)
                row += logs
                delays.append(Float(delay * scale))
            }
            values.append(row + delays)
        }
        spline = SphericalSpline(head.directions.units, values: values)
        gains = (0..<bins).map { Float(log(head.gains[min($0, last)])) }
        measuredRadius = head.measuredRadius
        (self.rate, self.count) = (rate, count)
    }

    /// Time by which a response is later than one of minimum phase with the same magnitudes, seconds.
    private static func delay(_ response: [Complex], _ phases: [Float], spacing: Double) -> Double {
        let bins = Int(clamping: (compared.lowerBound / spacing).rounded(.up))...Int(clamping: compared.upperBound / spacing)
        let rests = bins.map { Complex(magnitude: response[$0].magnitude, phase: response[$0].phase - Double(phases[$0])) }
        func likeness(_ delay: Double) -> Double {
            zip(bins, rests).reduce(0) { $0 + ($1.1 * Complex(magnitude: 1, phase: 2 * .pi * Double($1.0) * spacing * delay)).re }
        }
        let candidates = Array(stride(from: range.lowerBound, through: range.upperBound, by: fine))
        let fits = candidates.map(likeness)
        let best = (1..<fits.count - 1).max { fits[$0] < fits[$1] }!
        let curve = fits[best - 1] - 2 * fits[best] + fits[best + 1]
        let shift = curve < 0 ? 0.5 * (fits[best - 1] - fits[best + 1]) / curve : 0
        return candidates[best] + max(-1, min(1, shift)) * fine
    }

    /// Computes the table, which takes a second or more.
    ///
    /// - Parameters:
    ///   - step: angle between rings, degrees.
    ///   - progress: receives the completed share, 0 to 1, and returns whether to continue.
    /// - Returns: nil if `progress` stopped the work.
    public func table(step: Double = Self.step, progress: (Double) -> Bool = { _ in true }) -> HRTFTable? {
        let grid = DirectionGrid(step: step)
        let length = HRTFFrame(rate: Float(rate)).objectTaps
        let phase = MinimumPhase(count: count)
        let bins = count / 2 + 1
        let row = UnsafeMutablePointer<Float>.allocateAligned(spline.width)
        defer { row.deallocate() }
        var delays: [SIMD2<Float>] = []
        var taps: [[Float]] = []
        for ring in grid.counts.indices {
            guard progress(Double(ring) / Double(grid.counts.count)) else { return nil }
            for unit in grid.units(ring: ring) {
                spline.evaluate(unit, into: row)
                for ear in 0..<2 {
                    let logs = (0..<bins).map { row[ear * bins + $0] + gains[$0] }
                    taps.append(phase.response(logs, length: length))
                }
                delays.append(SIMD2(row[2 * bins], row[2 * bins + 1]) / Float(scale))
            }
        }
        return HRTFTable(grid, rate: Float(rate), delays: delays) { taps[2 * $0 + $1] }
    }
}
