public import Binaural
internal import Glibc

/// What an evaluation covers, and how finely.
public struct EvaluationPlan: Sendable {
    /// Numbers of microphones of the arrays, all evenly spaced.
    public var microphones = [8, 16, 24, 32]
    public var methods = Self.measurable
    /// Of the array, metres.
    public var radius = 0.0875
    public var seed: UInt64 = 1
    /// Of the head whose ears `personal` leads to, a sphere as well, metres.
    public var headRadius = 0.095

    /// Ear positions per sector: the middles of as many equal parts.
    public var positions = 8
    /// Azimuths on a half circle; the two ears, which sit opposite each other, make a full one of them.
    public var sources = 60
    /// Samples after which the static stimulus repeats.
    public var period = 8192
    /// Samples after which the stimulus of the moving head repeats, and that are measured.
    public var turnPeriod = 65_536
    /// How often each scene is rendered, turned and with other noise, so that its figures are not those of one place.
    public var takes = 4
    /// Of the turning head, degrees per second.
    public var speeds = [30.0, 90, 180]
    public var scenes = StimulusScene.all
    /// The turning head is measured on these arrays only.
    public var turnMicrophones: [Int]?

    public init() {}

    /// Every method that means to give the pressure on the array's own sphere. `personal`, which goes on to somebody's
    /// own ears, is measured against those, and only when it is asked for: its figures are not of the same thing.
    public static let measurable = InterpolationMethod.allCases.filter { $0 != .personal }

    /// Less of everything, in a few seconds.
    public static var quick: EvaluationPlan {
        var plan = EvaluationPlan()
        plan.microphones = [8, 16]
        plan.sources = 20
        plan.turnPeriod = 32_768
        plan.takes = 2
        plan.scenes = [StimulusScene.all[0], StimulusScene.all[2]]
        plan.turnMicrophones = [16]
        return plan
    }

    /// The highest frequency that is measured, Hz.
    static let highest = 16_000.0
    /// Hz; of the noise of the turning head, which leaves room above it for what only a click can put there.
    static let noise = 40.0...16_000.0

    /// Lines of a spectrum with this period that reach to the highest band's edge.
    static func lines(period: Int) -> Int {
        Int((highest * Double(period) / EarRenderer.rate).rounded(.up)) + 2
    }

    func array(_ count: Int) -> MicrophoneArray { .uniform(count: count, radius: Float(radius)) }
}
