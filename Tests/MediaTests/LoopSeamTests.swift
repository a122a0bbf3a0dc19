import DSP
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite struct LoopSeamTests {
    let fixture = SoundFixture()

    /// `laps` laps of a recording, first channel.
    func play(_ path: String, frames: Int, rate: Double = 48000) throws -> [Float] {
        var stream = try RecordingStream(try RecordingReader(path: path), engineRate: rate)
        let channels = stream.reader.channels
        var samples = [Float](repeating: 0, count: frames * channels)
        var done = 0
        while done < frames {
            let count = min(777, frames - done)
            let got = try samples.withUnsafeMutableBufferPointer {
                try stream.read(into: $0.baseAddress! + done * channels, frames: count, loop: true)
            }
            #expect(got == count)
            done += got
        }
        return stride(from: 0, to: samples.count, by: channels).map { samples[$0] }
    }

    /// Largest deviation of a sample from the line through the two before it.
    func largestSecondDifference(_ samples: some RandomAccessCollection<Float>) -> Float {
        let s = Array(samples)
        return (2..<s.count).map { i in abs(s[i] - (2 * s[i - 1] - s[i - 2])) }.max() ?? 0
    }

    @Test(arguments: [50.0, 1000, 12000]) func seamlessRecordingIsUnchanged(frequency: Double) throws {
        // 4800 frames are a whole number of periods.
        let path = fixture.write("sine.wav", channels: 4, frames: 4800) { frame, channel in
            sine(frequency, 48000, frame, phase: Double(channel) / 7)
        }
        let heard = try play(path, frames: 20000)
        let wrong = heard.indices.filter { heard[$0] != sine(frequency, 48000, $0 % 4800) }
        #expect(wrong.isEmpty)
    }

    @Test func stepAtTheSeamIsFaded() throws {
        // Channel 0 ends a quarter period after its start: a step of half the full scale.
        func recorded(_ frame: Int) -> Float { sine(102.5, 48000, frame) }
        let frames = 4800
        let path = fixture.write("step.wav", channels: 4, frames: frames) { frame, channel in
            channel == 0 ? recorded(frame) : sine(100, 48000, frame)
        }
        let heard = try play(path, frames: 3 * frames)
        let plain = (0..<3 * frames).map { recorded($0 % frames) }
        #expect(largestSecondDifference(plain) > 0.4)
        // The change of slope at the seam remains, 0.007 per frame.
        #expect(largestSecondDifference(heard) < 0.01)
        // Outside the crossfade nothing is changed.
        let changed = heard.indices.filter { heard[$0] != plain[$0] }
        #expect(changed.allSatisfy { $0 >= frames && $0 % frames < 256 })
        #expect(changed.count > 256)
    }

    @Test func otherChannelsAreNotTouched() {
        let tail = (0..<32).flatMap { [Float($0) / 32, sine(100, 48000, 4800 - 32 + $0)] }
        let head = (0..<32).flatMap { [Float(0), sine(100, 48000, $0)] }
        let seam = LoopSeam(tail: tail, head: head, channels: 2, length: 256)
        #expect(seam.offsets[0] == 1)
        #expect(seam.offsets[1] == 0)
    }

    @Test func seamsInNoiseAreNotFaded() {
        var random = SeededRandom()
        let noise = (0..<64).map { _ in Float.random(in: -0.5...0.5, using: &random) }
        let seam = LoopSeam(tail: Array(noise[..<32]), head: Array(noise[32...]), channels: 1, length: 256)
        #expect(seam.length == 0)
    }

    @Test(arguments: [1, 2, 3, 40, 300]) func shortRecordingLoops(frames: Int) throws {
        let path = fixture.write("short.wav", channels: 4, frames: frames) { frame, _ in Float(frame) / 512 }
        let heard = try play(path, frames: 5000)
        #expect(heard.allSatisfy { $0.isFinite && abs($0) < 1.3 })
        let wanted = (0..<frames).map { (frame: Int) -> Float in Float(frame) / 512 }
        #expect(Array(heard[..<frames]) == wanted)
    }

    @Test func resampledLoopIsContinuous() throws {
        // 1 kHz at 44100 Hz: 4410 frames are 100 periods.
        let path = fixture.write("sine.wav", channels: 4, rate: 44100, frames: 4410) { frame, _ in
            sine(1000, 44100, frame)
        }
        let heard = try play(path, frames: 48000)
        let found = measure(heard[2400...], frequency: 1000, rate: 48000)
        #expect(abs(decibels(found.level / 0.5)) < 0.01)
        #expect(decibels(found.rest / 0.35) < -100)
    }

    @Test(arguments: [1, 100, 1000, 4800]) func loopContinuesAfterASeekNearTheEnd(left: Int) throws {
        let path = fixture.write("sine.wav", channels: 4, rate: 44100, frames: 4410) { frame, _ in
            sine(1000, 44100, frame)
        }
        var stream = try RecordingStream(try RecordingReader(path: path), engineRate: 48000)
        try stream.seek(frame: 4800 - left, loop: true)
        var samples = [Float](repeating: 0, count: 4 * 24000)
        let got = try stream.read(into: &samples, frames: 24000, loop: true)
        #expect(got == 24000)
        let start = left == 4800 ? 2400 : 0
        let heard = stride(from: 0, to: samples.count, by: 4).map { samples[$0] }
        let found = measure(heard[start...], frequency: 1000, rate: 48000)
        #expect(decibels(found.rest / 0.35) < -100)
        let turns = found.phase + Double(left) / 48
        #expect(abs(turns - turns.rounded()) * 48 < 0.01, "samples")
    }
}
