public import Binaural
internal import Glibc

/// Extent and resolution of an evaluation.
public struct EvaluationPlan: Sendable {
    /// Numbers of microphones of the evaluated arrays, all evenly spaced.
    public var microphones = [8, 16, 24, 32]
    public var methods = Self.measurable
    /// Radius of the array, metres.
    public var radius = MicrophoneArray.standardRadius
    public var seed: UInt64 = 1
    /// Radius of the sphere whose ears `hrtf` reproduces, metres.
    public var headRadius = 0.095

    /// Ear positions per sector, at the midpoints of equal parts.
    public var positions = 8
    /// Source azimuths on a half circle; the two opposite ears extend them to a full circle.
    public var sources = 60
    /// Period of the static stimulus in samples.
    public var period = 8192
    /// Standard deviation of the microphones' gain errors, dB.
    public var sensorGain = 1.0
    /// Standard deviation of the microphones' position errors, degrees.
    public var sensorPosition = 2.0
    /// Numbers of sets of such errors, of source azimuths on a half circle, and of ear positions per sector.
    public var sensorTakes = 4
    public var sensorSources = 8
    public var sensorPositions = 2
    /// Rolls and pitches of the tilted heads.
    public var tilts = [15.0, 30, 45, 60].map { HeadTilt(roll: $0) } + [HeadTilt(roll: 45, pitch: 30)]
    /// Number of source azimuths for the tilted heads, on the whole circle.
    public var tiltSources = 24
    /// Period of the moving head's stimulus, and length of its measurement, in samples.
    public var turnPeriod = 65_536
    /// Number of times that each scene is rendered, rotated and with other noise, so that figures do not depend on single directions.
    public var takes = 4
    /// Speed of the turning head, degrees per second.
    public var speeds = [30.0, 90, 180]
    public var scenes = StimulusScene.all
    /// Numbers of microphones for the turning head; nil for all.
    public var turnMicrophones: [Int]?

    /// Whether sound objects through the array are measured.
    public var measuresObjects = false

    public init() {}

    /// Methods that reproduce the pressure on the array's own sphere. `hrtf`, which reproduces the ears of another
    /// head, is measured against those on request only: its figures are not comparable.
    public static let measurable = InterpolationMethod.allCases.filter { $0 != .hrtf }

    /// A reduced plan that takes a few seconds.
    public static var quick: EvaluationPlan {
        var plan = EvaluationPlan()
        plan.microphones = [8, 16]
        plan.sources = 20
        plan.turnPeriod = 32_768
        plan.takes = 2
        plan.sensorTakes = 2
        plan.sensorSources = 4
        plan.tiltSources = 12
        plan.scenes = [StimulusScene.all[0], StimulusScene.all[2]]
        plan.turnMicrophones = [16]
        return plan
    }

    /// Highest measured frequency in Hz.
    static let highest = 16_000.0
    /// Frequency range in Hz of the turning head's noise; energy above it can only come from clicks.
    static let noise = 40.0...16_000.0

    /// Returns the number of lines, for this period, up to the highest band's edge.
    static func lines(period: Int) -> Int {
        Int(clamping: (highest * Double(period) / EarRenderer.rate).rounded(.up)) + 2
    }

    func array(_ count: Int) -> MicrophoneArray { .uniform(count: count, radius: Float(radius)) }
}

/// Everything that the measurements of a plan share: the lines of spectra, the sphere's series at each line, and the bands that levels
/// are summed in.
struct EvaluationGrid: Sendable {
    let plan: EvaluationPlan
    /// Distance of two lines, Hz.
    let spacing: Double
    let series: SphereSeries
    let erb: BandPowers

    init(_ plan: EvaluationPlan) {
        self.plan = plan
        spacing = EarRenderer.rate / Double(plan.period)
        series = SphereSeries(
            Sphere(radius: plan.radius), spacing: spacing, lines: EvaluationPlan.lines(period: plan.period))
        erb = BandPowers(.erb, spacing: spacing)
    }

    /// White noise in all lines, different for each stream.
    func noise(stream: Int) -> LineSpectrum {
        .noise(lines: series.lines, range: 1...series.lines - 1, seed: plan.seed, stream: UInt64(stream))
    }

    /// Microphones of an array on the plan's sphere.
    func microphones(_ array: MicrophoneArray) -> SphereMicrophones { SphereMicrophones(array, series, period: plan.period) }

    /// Microphones on the head of a listener, for the exact sound at its ears.
    func ears(_ array: MicrophoneArray, _ head: HRTFHead) -> SphereMicrophones {
        SphereMicrophones(array, SphereSeries(head.sphere, spacing: spacing, lines: series.lines), period: plan.period)
    }

    /// Power in each ERB band.
    func powers(_ spectrum: LineSpectrum) -> [Double] { erb.sums(spectrum.powers) }

    /// Level in each ERB band relative to another sound, dB.
    func levels(_ heard: LineSpectrum, relativeTo wanted: LineSpectrum) -> [Float] {
        zip(powers(heard), powers(wanted)).map { Float(10 * log10($0 / $1)) }
    }

    /// Interaural time difference of the spectra of both ears, microseconds.
    func time(_ ears: [LineSpectrum]) -> Double { InterauralDifference.time(left: ears[0], right: ears[1], spacing: spacing) }
}
