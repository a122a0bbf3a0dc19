public import Binaural
internal import Foundation
public import Media

/// The demonstration scene: a garden with music, fully synthesised, as a loop of whole bars.
///
/// The instruments are at 48 kHz; for a recording at another rate they are resampled.
public struct DemoScene: Sendable {
    private let score: Demo.Score

    /// Directions of the wind and of the room, degrees.
    private static let around: [Double] = [90, -90, 150, -150, 25, -25]

    /// - Parameter bars: number of bars of 2.667 s each; 12 for the whole piece.
    public init(bars: Int = 12) { score = Demo.Score(bars: bars) }

    /// Length of the loop in frames at 48 kHz.
    public var frames: Int { score.frames }

    /// Returns every sound with its direction. Gains are relative to an RMS of -20 dBFS.
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

    /// Returns the synthesis of the scene as recorded by an array.
    public func synthesis(
        array: MicrophoneArray = .uniform(count: 16), rate: Int = 48_000
    ) throws(MediaError) -> SceneSynthesis {
        try SceneSynthesis(array: array, rate: rate, sources: sources(), seamless: true)
    }

    /// Input of the room: all sources but the wide ones, the bass at a lower level.
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

    /// Creates the parent folder of `path` if it does not exist.
    public static func makeFolder(for path: String) throws(MediaError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw MediaError("The folder \(folder.path) cannot be created: \(error.localizedDescription)")
        }
    }
}
