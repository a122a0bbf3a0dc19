public import Binaural
internal import Foundation

/// The demonstration scene: a garden with music, a loop of whole bars, everything made by code.
///
/// The instruments are at 48 kHz; a recording of another rate is resampled.
public struct DemoScene: Sendable {
    private let score: Demo.Score

    /// Where the wind and the room come from, degrees.
    private static let around: [Double] = [90, -90, 150, -150, 25, -25]

    /// - Parameter bars: of 2.667 s; 12 are the whole piece.
    public init(bars: Int = 12) { score = Demo.Score(bars: bars) }

    /// Frames of the loop at 48 kHz.
    public var frames: Int { score.frames }

    /// Every sound with its place. Gains are over an RMS of -20 dBFS.
    public func sources() -> [SceneSource] {
        let points: [(String, Double, Double, Double, Demo.Loop)] = [
            ("voice", 30, 0, -5.3, Demo.Voice.play(score)),
            ("guitar", -45, 0, -9.4, Demo.Guitar.play(score)),
            ("percussion", -110, 0, -12, Demo.Percussion.play(score)),
            ("shaker", 110, 0, -19, Demo.Shaker.play(score)),
            ("bass", 180, 0, -9.9, Demo.Bass.play(score)),
            ("bell", 75, 30, -17, Demo.Bell.play(score)),
            ("brook", 150, -10, -21, Demo.Garden.brook(score)),
            ("bird", -20, 40, -23, Demo.Birds.chatter(score, seed: 61)),
            ("far bird", -150, 35, -25, Demo.Birds.whistle(score, seed: 67)),
        ]
        let room = Demo.Room.answer(to: dry(points), directions: Self.around.count)
        let ambience = zip(Self.around, room).enumerated().map { index, place in
            let wind = Demo.Garden.wind(score, direction: place.0 * .pi / 180, seed: 71 + UInt64(index))
            var loop = place.1
            for frame in loop.samples.indices {
                loop.samples[frame] = 0.7 * loop.samples[frame] + 0.35 * wind.samples[frame]
            }
            return source("ambience \(index + 1)", place.0, 0, -20, loop)
        }
        return points.map { source($0.0, $0.1, $0.2, $0.3, $0.4) } + ambience
    }

    /// The recording of it that an array makes.
    public func synthesis(
        array: MicrophoneArray = .uniform(count: 16), rate: Int = 48_000
    ) throws(MediaError) -> SceneSynthesis {
        try SceneSynthesis(array: array, rate: rate, sources: sources(), seamless: true)
    }

    /// What the room hears: everything but the wide ones, the bass less.
    private func dry(_ points: [(String, Double, Double, Double, Demo.Loop)]) -> [Double] {
        let shares = [
            "voice": 0.6, "guitar": 0.8, "percussion": 0.6, "shaker": 0.3, "bass": 0.15, "bell": 0.5, "bird": 0.3,
        ]
        var sum = [Double](repeating: 0, count: score.frames)
        for (name, _, _, _, loop) in points {
            guard let share = shares[name] else { continue }
            for frame in sum.indices { sum[frame] += share * loop.samples[frame] }
        }
        return sum
    }

    private func source(
        _ name: String, _ azimuth: Double, _ elevation: Double, _ gain: Double, _ loop: Demo.Loop
    ) -> SceneSource {
        SceneSource(
            MonoSignal(name: name, rate: Demo.rate, samples: loop.samples.map { Float($0) }),
            .init(name: name, azimuth: azimuth, elevation: elevation, gain: gain))
    }

    /// The folder that `path` is in, made if it is not there.
    public static func makeFolder(for path: String) throws(MediaError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw MediaError("The folder \(folder.path) cannot be made: \(error.localizedDescription)")
        }
    }
}
