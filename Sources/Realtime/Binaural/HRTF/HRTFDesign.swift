internal import DSP
internal import Glibc

/// Designs the filters from an array's microphones to the ears of a measured head.
///
/// The array is a rigid sphere, so that the responses of its microphones to a wave from any direction are known. At every
/// frequency, weights of the microphones are fitted by least squares to the responses measured for all directions. Up to
/// 1.5 kHz, where hearing follows the waveform, magnitude and phase are fitted; above, where there are too few
/// microphones for both, the magnitude alone. The free phase is found in alternation with the weights, starting from the
/// measured phase (Schörkhuber, Zaunschirm, Höldrich, "Binaural rendering of Ambisonic signals via magnitude least
/// squares", DAGA 2018; Deppisch, Helmholz, Ahrens, "End-to-end magnitude least squares binaural rendering of spherical
/// microphone array signals", I3DA 2021). Up to 1.3 times the ring's spatial Nyquist frequency it is one for all turns of the
/// head: ``HRTFTurns``. Above, every turn continues with the phase that its previous frequency's weights give. Each iteration
/// extrapolates, so that few suffice (Perraudin, Balazs, Søndergaard, "A fast Griffin-Lim algorithm", WASPAA
/// 2013). Finally the level that the fit has lost is restored.
///
/// Preparation takes about a second, and every set of filters a few hundredths of one.
public struct HRTFDesign: Sendable {
    /// Frequency up to which the phase is fitted as well, Hz.
    static let complex = 1500.0
    static let passes = 8
    /// Frequency up to which all turns of the head share their phases, in units of the ring's spatial Nyquist frequency. The
    /// microphones cannot reproduce one phase for all turns far above it.
    static let shared = 1.3
    /// Share of all singular values below which one is regularised; bounds the amplification of noise.
    static let floor = 0.01
    /// Range of a head's radius, metres; 0 stands for that of the measured head.
    public static let radii: ClosedRange<Float> = 0.05...0.15

    public let layout: HRTFLayout
    public let frame: HRTFFrame
    /// Radius of the measured head, estimated from the phases at its ears, metres.
    public let measuredRadius: Double
    private let rate: Double
    private let directions: HeadDirections
    private let weights: [Float]
    /// Highest frequency of phases that all turns share, Hz.
    private let limit: Double
    private let tables: [SphereTable]
    /// Indexed by frequency, then by ear.
    private let goals: [[HRTFTarget]]

    /// - Parameters:
    ///   - rate: rate of the engine, frames per second.
    ///   - headRadius: radius to which the responses are scaled in time from that of the measured head, metres (Middlebrooks,
    ///     "Virtual localization improved by scaling nonindividualized external-ear transfer functions in
    ///     frequency", JASA 106, 1999); 0 for no scaling.
    ///   - equalisation: colour of the measurement that is kept.
    public init(
        _ responses: HeadResponses, _ layout: HRTFLayout, rate: Double, headRadius: Double = 0,
        equalisation: HRTFEqualisation = .neutral
    ) {
        let frame = HRTFFrame(rate: Float(rate))
        let spacing = rate / Double(frame.taps)
        let frequencies = (0...frame.taps / 2).map { Double($0) * spacing }
        let head = MeasuredHead(
            responses, spacing: spacing, count: frequencies.count, headRadius: headRadius, equalisation: equalisation)
        let directions = head.directions
        let array = Sphere(radius: Double(layout.array.radius))
        let width = roundedToLanes(directions.units.count)
        tables = frequencies.map { SphereTable(array.modes(frequency: $0)) }
        let weights = directions.weights.map(Float.init) + [Float](repeating: 0, count: width - directions.units.count)
        let limit = Self.shared * Double(layout.channels.count) * array.speedOfSound / (4 * .pi * array.radius)
        let turns = HRTFTurns(layout, directions, weights: weights)
        var goals: [[HRTFTarget]] = []
        for (bin, frequency) in frequencies.enumerated() {
            let plain = head.responses[bin].map { ear in
                HRTFTarget(ear.map { head.gains[bin] * $0 }, weights: directions.weights, width: width)
            }
            guard frequency > Self.complex, frequency <= limit else {
                goals.append(plain)
                continue
            }
            turns.begin(tables[bin])
            goals.append(plain.map(turns.fit))
        }
        self.goals = goals
        self.limit = limit
        self.weights = weights
        measuredRadius = head.measuredRadius
        (self.layout, self.frame, self.rate, self.directions) = (layout, frame, rate, directions)
    }

    /// Returns the filters for one turn of the head: `frame.taps` samples for every microphone that is not muted, in order of
    /// azimuth, for the left ear and then for the right ear.
    ///
    /// - Parameter set: counted from 0; the head is turned to the left by this multiple of the layout's spacing.
    public func taps(set: Int) -> [Float] {
        let yaw = Double(set) * layout.spacing
        let matrix = SteeringMatrix(azimuths: layout.azimuths.map { $0 - yaw }, directions, weights: weights)
        var fitters = (0..<2).map { _ in HRTFFit(width: weights.count) }
        var response = HRTFFilterResponse(frame, rows: 2 * matrix.count)
        for bin in 1..<tables.count {
            matrix.fill(tables[bin])
            let system = matrix.system()
            let frequency = Double(bin) * rate / Double(frame.taps)
            for ear in 0..<2 {
                fitters[ear].fit(
                    matrix, system, goals[bin][ear], weights: weights, isExact: frequency <= Self.complex,
                    isFree: frequency > max(limit, Self.complex))
                response.set(fitters[ear].filter, from: ear * matrix.count, bin: bin)
            }
        }
        return response.taps()
    }
}
