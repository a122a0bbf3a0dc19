import Binaural
import Device
import Engine
import Foundation
import Parameters
import Pose
import Synchronization
import Testing

/// Rendering of recordings and sound objects without a device.
@Suite struct RecordingRenderingTests {
    /// Keeps both ears, and the words of a rendering.
    private final class Ears: FrameSink {
        private(set) var left: [Float] = []
        private(set) var right: [Float] = []
        private(set) var isFinished = false

        func write(_ interleaved: UnsafePointer<Float>, frames: Int) {
            for frame in 0..<frames {
                left.append(interleaved[2 * frame])
                right.append(interleaved[2 * frame + 1])
            }
        }

        func finish() { isFinished = true }
    }

    let folder: TestFolder
    /// A tone of peak 0.5 in the microphone at the left ear.
    private var settings = RenderingSettings()

    init() throws {
        folder = TestFolder()
        settings.recording = try folder.recording()
        settings.method = .nearest
    }

    private func render(_ settings: RenderingSettings, reports: RenderingReports = RenderingReports()) throws -> (ears: Ears, Float) {
        let ears = Ears()
        let reduction = try RecordingRendering(settings, reports: reports).render(to: ears)
        #expect(ears.isFinished)
        return (ears, reduction)
    }

    /// Power of a part of the sound.
    private func level(_ sound: [Float], _ part: Range<Int> = 24_000..<72_000) -> Float {
        10 * log10(sound[part].reduce(0) { $0 + $1 * $1 } / Float(part.count) + 1e-20)
    }

    @Test func aRecordingIsHeardAtItsEarForItsLength() throws {
        let (ears, reduction) = try render(settings)
        #expect(ears.left.count == 96_000 && ears.right.count == 96_000)
        // A sine of peak 0.5 has -9.03 dB.
        #expect(abs(level(ears.left) + 9.03) < 0.05 && level(ears.right) < -100)
        #expect(reduction == 0)
    }

    /// Turned by half a turn, the other ear is at the tone.
    @Test func theHeadTurns() throws {
        var turned = settings
        turned.head = .track(MotionTrack(yaw: 180))
        let ears = try render(turned).ears
        #expect(abs(level(ears.right) + 9.03) < 0.05 && level(ears.left) < -100)
    }

    @Test func theLimiterKeepsItsCeiling() throws {
        var limited = settings
        limited.ceiling = -12
        let (ears, reduction) = try render(limited)
        let ceiling = pow(10, -12 / 20 as Float)
        #expect(ears.left.map(abs).max()! < ceiling * 1.001)
        // From -6.02 dB to -12 dB.
        #expect(abs(reduction - 5.98) < 0.05)
        limited.ceiling = nil
        #expect(try render(limited).ears.left.map(abs).max()! > 0.49)
    }

    @Test func objectsAreHeardWithoutARecording() throws {
        var alone = RenderingSettings()
        let path = try folder.sound("voice.wav")
        alone.objects = [.init(path: path, place: [(.azimuth, 90)])]
        let ears = try render(alone).ears
        #expect(ears.left.count == 96_000)
        #expect(level(ears.left) > level(ears.right) + 1)
        alone.objects = [.init(path: path, place: [(.azimuth, -90)])]
        let mirrored = try render(alone).ears
        #expect(abs(level(mirrored.right) - level(ears.left)) < 0.01)
    }

    @Test func refusesARateThatTheRecordingDoesNotHave() throws {
        var other = settings
        other.rate = 44_100
        let error = #expect(throws: RequestError.self) { try RecordingRendering(other, reports: RenderingReports()) }
        #expect("\(error!)".contains("44100") && "\(error!)".contains("48000"))
        other.rate = 48_000
        #expect(try RecordingRendering(other, reports: RenderingReports()).format.rate == 48_000)
    }

    @Test func tellsOfItsProgress() throws {
        let words = Mutex<[String]>([])
        var reports = RenderingReports()
        reports.progress = { activity, share in if share == nil { words.withLock { $0.append("end of \(activity)") } } }
        _ = try render(settings, reports: reports)
        #expect(words.withLock { $0 }.contains("end of rendering"))
    }

    /// A motion that ends before the sound begins is not heard.
    @Test func tellsAMotionThatIsNotHeard() throws {
        var late = settings
        let csv = folder.path("motion.csv")
        try Data("time,yaw,pitch,roll\n5,0,0,0\n6,90,0,0\n".utf8).write(to: URL(filePath: csv))
        late.head = try HeadSource(path: csv)
        #expect(try RecordingRendering(late, reports: RenderingReports()).unheardMotion == 5...6)
        #expect(try RecordingRendering(settings, reports: RenderingReports()).unheardMotion == nil)
    }
}
