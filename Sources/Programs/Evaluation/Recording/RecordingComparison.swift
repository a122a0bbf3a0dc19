public import Binaural
internal import Glibc

/// Errors of a method for a recording of one's own: the rendered ears against a binaural reference of the same event, in windows of both.
public struct RecordingComparison: Sendable {
    public let method: InterpolationMethod
    /// Level in ERB bands, rendered against the reference, dB, without ``gain``.
    public let level: RegionStatistics
    /// The same in each band.
    public let erb: [ErrorStatistics]
    /// Level of the left ear against the right one, in ERB bands, dB.
    public let interauralLevel: RegionStatistics
    /// Delay of the right ear against the left one, microseconds.
    public let interauralTime: ErrorStatistics
    /// Mean level of the rendered ears against the reference, dB.
    public let gain: Double
    /// Frames by which the rendered ears are later than the reference.
    public let delay: Int
    /// Windows that were compared.
    public let windows: Int

    /// Frames of a window, and from one to the next.
    static let window = 4096
    static let hop = 2048
    /// Least number of frames that are compared.
    public static var shortest: Int { window }
    /// Least level of a band of the reference against its loudest one, dB; quieter ones are not compared.
    private static let leastBand = -50.0
    /// Least level of a window against the loudest one for which times between the ears are compared, dB.
    private static let leastWindow = -30.0

    /// Powers and time of a window.
    private struct Window {
        /// Powers of each ear in bands.
        var powers: (left: [Double], right: [Double])
        /// Microseconds.
        var time: Double
        var total: Double { powers.left.reduce(0, +) + powers.right.reduce(0, +) }
    }

    /// - Parameters:
    ///   - rendered, reference: left and right ears, of equal length, at least a window.
    ///   - rate: frames per second.
    public init(
        _ method: InterpolationMethod, rendered: (left: [Float], right: [Float]), reference: (left: [Float], right: [Float]), rate: Double
    ) {
        self.method = method
        let spacing = rate / Double(Self.window)
        let bands = BandPowers(.erb, spacing: spacing)
        let lines = min(Self.window / 2 + 1, max(bands.lines, Int(clamping: 1500 / spacing) + 2))
        // Bands above half the rate are empty.
        let missing = [Float](repeating: 0, count: max(0, bands.lines - lines))
        let transform = PeriodicTransform(period: Self.window)
        let shape = (0..<Self.window).map { (n: Int) -> Float in
            Float(0.5 - 0.5 * cos(2 * Double.pi * (Double(n) + 0.5) / Double(Self.window)))
        }
        var cross = LineSpectrum(lines: lines)
        var pairs: [(rendered: Window, exact: Window)] = []
        for first in stride(from: 0, through: reference.left.count - Self.window, by: Self.hop) {
            func spectrum(_ ear: [Float]) -> LineSpectrum { transform.lines(of: ear, from: first, window: shape, count: lines) }
            func window(_ left: LineSpectrum, _ right: LineSpectrum) -> Window {
                Window(
                    powers: (bands.sums(left.powers + missing), bands.sums(right.powers + missing)),
                    time: InterauralDifference.time(left: left, right: right, spacing: spacing))
            }
            let (left, right) = (spectrum(rendered.left), spectrum(rendered.right))
            let (exactLeft, exactRight) = (spectrum(reference.left), spectrum(reference.right))
            for product in [left.timesConjugate(exactLeft), right.timesConjugate(exactRight)] {
                for line in 0..<lines {
                    cross.re[line] += product.re[line]
                    cross.im[line] += product.im[line]
                }
            }
            pairs.append((window(left, right), window(exactLeft, exactRight)))
        }
        windows = pairs.count
        delay = transform.synthesise(cross) { likeness in
            let place = (0..<Self.window).max { likeness[$0] < likeness[$1] } ?? 0
            return place < Self.window / 2 ? place : place - Self.window
        }
        gain = 10 * log10(pairs.reduce(0) { $0 + $1.rendered.total } / pairs.reduce(0) { $0 + $1.exact.total })
        (level, erb, interauralLevel, interauralTime) = Self.errors(pairs, gain: gain)
    }

    private static func errors(
        _ pairs: [(rendered: Window, exact: Window)], gain: Double
    ) -> (RegionStatistics, [ErrorStatistics], RegionStatistics, ErrorStatistics) {
        let loudest = pairs.reduce(0) { max($0, $1.exact.powers.left.max() ?? 0, $1.exact.powers.right.max() ?? 0) }
        let loudestWindow = pairs.map(\.exact.total).max() ?? 0
        let least = loudest * pow(10, leastBand / 10)
        var levels = [[Float]](repeating: [], count: FrequencyBands.erb.count)
        var differences = levels
        var times: [Float] = []
        for pair in pairs {
            for band in levels.indices {
                let (left, right) = (
                    error(pair.rendered.powers.left[band], pair.exact.powers.left[band], least),
                    error(pair.rendered.powers.right[band], pair.exact.powers.right[band], least)
                )
                levels[band] += [left, right].compactMap(\.self).map { Float($0 - gain) }
                if let left, let right { differences[band].append(Float(left - right)) }
            }
            if pair.exact.total > loudestWindow * pow(10, leastWindow / 10) { times.append(Float(pair.rendered.time - pair.exact.time)) }
        }
        return (
            RegionStatistics(levels, .erb), levels.map { ErrorStatistics($0) }, RegionStatistics(differences, .erb), ErrorStatistics(times)
        )
    }

    /// Level of a band against the reference, dB; nil where the reference has too little.
    private static func error(_ rendered: Double, _ exact: Double, _ least: Double) -> Double? {
        exact > least && exact > 0 ? 10 * log10(max(rendered, exact * 1e-10) / exact) : nil
    }
}
