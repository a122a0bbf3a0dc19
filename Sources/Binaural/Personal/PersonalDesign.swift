internal import DSP
internal import Glibc

/// Works out the filters that lead from this array's microphones to somebody's own ears.
///
/// The array is a rigid sphere, so that what its microphones hear of a wave from any direction is known. For every
/// frequency, weights of the microphones are fitted to the responses that were measured in all directions, by least
/// squares. Up to 1.5 kHz, where ears follow the waveform, both magnitude and phase are; above, where there are too
/// few microphones for both, the magnitude alone: the phase is free, and found by turns with the weights, beginning
/// with the phase that the weights of the frequency before come to (Schörkhuber, Zaunschirm, Höldrich, "Binaural
/// rendering of Ambisonic signals via magnitude least squares", DAGA 2018; Deppisch, Helmholz, Ahrens, "End-to-end
/// magnitude least squares binaural rendering of spherical microphone array signals", I3DA 2021). Every turn goes on
/// as far again as it came, so that few suffice (Perraudin, Balazs, Søndergaard, "A fast Griffin-Lim algorithm", WASPAA
/// 2013). What the fit loses in level is given back.
///
/// Takes a tenth of a second to prepare and about as long for every set of filters.
public struct PersonalDesign: Sendable {
    /// Hz up to which the phase is fitted as well.
    static let complex = 1500.0
    static let passes = 8
    /// Singular values below this share of all together are held down: bounds what the filters do to noise.
    static let floor = 0.01
    /// Metres between which a head's radius can be; 0 is the measured one's own.
    public static let radii: ClosedRange<Float> = 0.05...0.15

    public let layout: PersonalLayout
    public let frame: PersonalFrame
    /// Of the head that was measured, as its ears' phases say, metres.
    public let measuredRadius: Double
    private let rate: Double
    private let directions: HeadDirections
    private let weights: [Float]
    private let tables: [SphereTable]
    /// By frequency, then by ear.
    private let goals: [[PersonalGoal]]

    /// - Parameters:
    ///   - rate: of the engine, frames per second.
    ///   - headRadius: metres; the responses are stretched in time from the measured head's to it (Middlebrooks,
    ///     "Virtual localization improved by scaling nonindividualized external-ear transfer functions in
    ///     frequency", JASA 106, 1999). 0 leaves them as they are.
    public init(_ responses: HeadResponses, _ layout: PersonalLayout, rate: Double, headRadius: Double = 0) {
        let frame = PersonalFrame(rate: Float(rate))
        let directions = HeadDirections(responses)
        let spectra = HeadSpectra(responses, directions)
        let fit = HeadFit(spectra)
        let stretch = headRadius > 0 ? headRadius / fit.radius : 1
        let head = Sphere(radius: fit.radius * stretch)
        let array = Sphere(radius: Double(layout.array.radius))
        let width = roundedToLanes(directions.units.count)
        let frequencies = (0...frame.taps / 2).map { Double($0) * rate / Double(frame.taps) }
        tables = frequencies.map { SphereTable(array.modes(frequency: $0)) }
        goals = frequencies.map { frequency in
            let (low, high) = PersonalGoal.measured
            let share = max(0, min(1, (frequency - low) / (high - low)))
            let modes = head.modes(frequency: frequency)
            return (0..<2).map { ear in
                let measured = spectra.response(ear: ear, frequency: frequency * stretch, origin: fit.origin)
                let side = ear == 0 ? 1.0 : -1
                let mixed = measured.indices.map { i -> Complex in
                    guard share < 1 else { return fit.gain * measured[i] }
                    return (1 - share) * modes.pressure(cosine: side * directions.units[i].y)
                        + (share * fit.gain) * measured[i]
                }
                return PersonalGoal(mixed, weights: directions.weights, width: width)
            }
        }
        weights =
            directions.weights.map(Float.init)
            + [Float](repeating: 0, count: width - directions.units.count)
        measuredRadius = fit.radius
        (self.layout, self.frame, self.rate, self.directions) = (layout, frame, rate, directions)
    }

    /// The filters for one turn of the head: `frame.taps` samples for every microphone that is alive, in the order of
    /// their azimuths, of the left ear; then of the right ear.
    ///
    /// - Parameter set: from 0; the head is turned to the left by so many times the layout's spacing.
    public func taps(set: Int) -> [Float] {
        let yaw = Double(set) * layout.spacing
        let matrix = SteeringMatrix(azimuths: layout.azimuths.map { $0 - yaw }, directions, weights: weights)
        var fitters = (0..<2).map { _ in PersonalFit(width: weights.count) }
        var response = PersonalFilterResponse(frame, rows: 2 * matrix.count)
        for bin in 1..<tables.count {
            matrix.fill(tables[bin])
            var gram = matrix.gram()
            let floor = (0..<matrix.count).reduce(0) { $0 + gram[$1 * (matrix.count + 1)].re } * Self.floor * Self.floor
            for i in 0..<matrix.count { gram[i * (matrix.count + 1)].re += floor }
            let system = HermitianSystem(gram, count: matrix.count)
            let isComplex = Double(bin) * rate / Double(frame.taps) <= Self.complex
            for ear in 0..<2 {
                fitters[ear].fit(matrix, system, goals[bin][ear], weights: weights, isComplex: isComplex)
                response.set(fitters[ear].filter, from: ear * matrix.count, bin: bin)
            }
        }
        return response.taps()
    }
}
