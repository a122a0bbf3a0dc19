import Binaural
import DSP
import Device
import Engine
import Foundation
import Parameters
import Pose
import TestSupport
import Testing

/// Rendered files are as early as what they are rendered from, with every method.
@Suite struct RenderingAlignmentTests {
    /// Keeps the left ear.
    private final class LeftEar: FrameSink {
        private(set) var samples: [Float] = []

        func write(_ interleaved: UnsafePointer<Float>, frames: Int) {
            for frame in 0..<frames { samples.append(interleaved[2 * frame]) }
        }

        func finish() {}
    }

    private static let frames = 9_000
    /// The methods that need no file.
    private static let methods = InterpolationMethod.allCases.filter { $0 != .hrtf }
    private let folder = TestFolder()

    private func noise(seed: UInt64, _ test: String = #function) -> [Float] {
        var random = SeededRandom(fixed: seed, test)
        return (0..<Self.frames).map { _ in random.within(-0.1...0.1) }
    }

    private func render(_ settings: RenderingSettings) throws -> [Float] {
        let ear = LeftEar()
        _ = try RecordingRendering(settings, reports: RenderingReports()).render(to: ear)
        return ear.samples
    }

    /// Frames by which a sound is late in an ear: the place of the largest correlation of up to 400 frames either way.
    private func delay(of sound: [Float], in ear: [Float]) -> Int {
        let part = 400..<Self.frames - 400
        return (-400...400).max { one, other in correlation(sound, ear, part, one) < correlation(sound, ear, part, other) }!
    }

    private func correlation(_ sound: [Float], _ ear: [Float], _ part: Range<Int>, _ delay: Int) -> Float {
        var sum: Float = 0
        for frame in part { sum += sound[frame] * ear[frame + delay] }
        return sum
    }

    private func peak(_ samples: ArraySlice<Float>) -> Float { samples.map(abs).max() ?? 0 }

    /// The sound of all microphones is in time from the first frame to the last.
    @Test(arguments: methods, [nil, -1] as [Float?])
    func recordingsAreInTime(_ method: InterpolationMethod, _ ceiling: Float?) throws {
        let sound = noise(seed: 81)
        var settings = RenderingSettings()
        settings.recording = try folder.write("ring.wav", channels: 8, frames: Self.frames) { frame, _ in sound[frame] }
        (settings.method, settings.ceiling) = (method, ceiling)
        let ear = try render(settings)
        #expect(ear.count == Self.frames)
        #expect(delay(of: sound, in: ear) == 0)
        #expect(peak(ear.prefix(64)) > 0.03 && peak(ear.suffix(64)) > 0.03)
    }

    /// A delay of a few frames is that of the way around the head and of the interpolation.
    @Test(arguments: [.nearest, .ringSpectral] as [InterpolationMethod], [0, 1] as [Float])
    func objectsAreInTime(_ method: InterpolationMethod, _ renderer: Float) throws {
        let (sound, other) = (noise(seed: 82), noise(seed: 83))
        var settings = RenderingSettings()
        let path = try folder.write("object.wav", channels: 1, frames: Self.frames) { frame, _ in sound[frame] }
        settings.objects = [.init(path: path, place: [(.azimuth, 90), (.renderer, renderer)])]
        settings.method = method
        let alone = try render(settings)
        #expect(alone.count == Self.frames && (0...10).contains(delay(of: sound, in: alone)))
        // Beside a recording, both are.
        settings.recording = try folder.write("ring.wav", channels: 8, frames: Self.frames) { frame, _ in other[frame] }
        let both = try render(settings)
        #expect(both.count == Self.frames)
        #expect((0...10).contains(delay(of: sound, in: both)) && delay(of: other, in: both) == 0)
    }

    /// A sound that is repeated beside a longer recording begins again in time.
    @Test func repeatedObjectsStayInTime() throws {
        var settings = RenderingSettings()
        settings.recording = try folder.write("ring.wav", channels: 8, frames: Self.frames) { _, _ in 0 }
        let click = try folder.write("click.wav", channels: 1, frames: 1000) { frame, _ in frame == 500 ? 0.5 : 0 }
        settings.objects = [.init(path: click, place: [(.azimuth, 90)])]
        let ear = try render(settings)
        let peaks = ear.indices.filter { abs(ear[$0]) > 0.3 }
        #expect(peaks == (0..<9).map { 1000 * $0 + peaks[0] } && (500...510).contains(peaks[0]))
    }

    /// The left ear turns away from a tone between two frames.
    @Test func theMotionIsInTime() throws {
        var settings = RenderingSettings()
        settings.recording = try folder.recording()
        let csv = folder.path("motion.csv")
        let (before, after) = (4607.0 / 48_000, 4608.0 / 48_000)
        try "time,yaw,pitch,roll\n\(before),0,0,0\n\(after),180,0,0\n".write(toFile: csv, atomically: true, encoding: .utf8)
        settings.head = try HeadSource(path: csv)
        let ear = try render(settings)
        // The pose is reached at the end of the block.
        #expect(peak(ear[4472..<4544]) > 0.45 && peak(ear[4608..<4700]) < 0.02)
    }
}
