public import Binaural
internal import Glibc

/// Measurement of a method for heads that are rolled and pitched: ears above and below the plane of microphones and sources.
public struct TiltEvaluation: Sendable {
    private let grid: EvaluationGrid
    private var plan: EvaluationPlan { grid.plan }

    public init(_ plan: EvaluationPlan) {
        grid = EvaluationGrid(plan)
    }

    /// Measures every tilt of the plan.
    ///
    /// - Parameter count: number of microphones.
    public func run(microphones count: Int, _ method: InterpolationMethod) -> [TiltFigures] {
        let array = plan.array(count)
        let head = HRTFHead(plan)
        let bank = head.bank(array, method)
        let renderer = EarRenderer(array: array, method: method, bank: bank)
        let sphere = grid.microphones(array)
        let ears = bank == nil ? sphere : grid.ears(array, head)
        // A quarter of a sector: neither at a microphone nor between two.
        let yaw = 90.0 / Double(count)
        var sums = [Sums](repeating: Sums(), count: plan.tilts.count)
        for source in 0..<plan.tiltSources {
            // One of the sources is at 90 degrees from the head.
            let azimuth = 90 + 360 * Double(source) / Double(plan.tiltSources)
            let noise = grid.noise(stream: 0x600000 + source)
            let rendered = renderer.render(
                microphones: sphere.signals(noise, azimuth: azimuth + yaw), frames: CommonResponse.settling + plan.period,
                heads: plan.tilts.map { tilt in { _ in SIMD3(yaw, tilt.pitch, tilt.roll) } })
            for (index, tilt) in plan.tilts.enumerated() {
                let exact = [true, false].map { isLeft in
                    ears.exact(noise, azimuth: 0, at: tilt.angle(isLeft: isLeft, azimuth: azimuth))
                }
                let heard = (0..<2).map { sphere.spectrum(rendered[2 * index + $0]) }
                sums[index].add(heard, exact, grid, isSide: source == 0)
            }
        }
        return zip(plan.tilts, sums).map { tilt, sums in
            TiltFigures(
                microphones: count, method: method, tilt: tilt, time: ErrorStatistics(sums.times), side: sums.side,
                level: RegionStatistics(sums.levels, .erb))
        }
    }

    private struct Sums {
        private(set) var times: [Float] = []
        private(set) var side = (rendered: 0.0, exact: 0.0)
        private(set) var levels = [[Float]](repeating: [], count: FrequencyBands.erb.count)

        mutating func add(_ heard: [LineSpectrum], _ exact: [LineSpectrum], _ grid: EvaluationGrid, isSide: Bool) {
            let (found, wanted) = (grid.time(heard), grid.time(exact))
            times.append(Float(found - wanted))
            if isSide { side = (found, wanted) }
            for (heard, exact) in zip(heard, exact) {
                for (band, level) in grid.levels(heard, relativeTo: exact).enumerated() { levels[band].append(level) }
            }
        }
    }
}

/// Errors of a method for a rolled and pitched head, of sources in the plane of the microphones.
public struct TiltFigures: Sendable {
    public let microphones: Int
    public let method: InterpolationMethod
    public let tilt: HeadTilt
    /// Error of the interaural time difference of sources all around, microseconds.
    public let time: ErrorStatistics
    /// Interaural time difference of a source at 90 degrees, microseconds: rendered, and at the exact ears.
    public let side: (rendered: Double, exact: Double)
    /// Level error over ERB bands, dB.
    public let level: RegionStatistics
}

/// Roll and pitch of a head that is measured.
public struct HeadTilt: Sendable, Equatable {
    /// Degrees to the right.
    public let roll: Double
    /// Degrees up.
    public let pitch: Double

    public init(roll: Double, pitch: Double = 0) {
        self.roll = roll
        self.pitch = pitch
    }

    /// Returns the angle between the direction of a left ear, or of a right one, and that of a source in the horizontal plane, degrees.
    ///
    /// - Parameter azimuth: of the source from the head's yaw, degrees.
    func angle(isLeft: Bool, azimuth: Double) -> Double {
        let (roll, pitch, azimuth) = (roll * .pi / 180, pitch * .pi / 180, azimuth * .pi / 180)
        // The left ear's direction in the head is (0, 1, 0); it is rolled first, then pitched.
        let side = isLeft ? 1.0 : -1
        let (ahead, left) = (-side * sin(roll) * sin(pitch), side * cos(roll))
        return acos(max(-1, min(1, ahead * cos(azimuth) + left * sin(azimuth)))) * 180 / .pi
    }
}
