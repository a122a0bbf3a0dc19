import DSP
import Foundation
import TestSupport
import Testing

@testable import Media

/// Channels of a ring that are no microphones of their own, found by their sound.
@Suite struct RingCheckTests {
    let fixture = SoundFixture()
    private static let frames = 24_000

    /// Noises from several directions at the microphones of a ring: at low frequencies similar, at high ones different, with the noise of
    /// the microphones 60 dB below.
    private func ring(_ count: Int) -> [[Float]] {
        var random = SeededRandom(fixed: 1)
        func noise() -> [Double] { (0..<Self.frames + 200).map { _ in Double.random(in: -0.2...0.2, using: &random) } }
        let sources = [20.0, 110, 200, 305].map { (azimuth: $0 * .pi / 180, noise: noise()) }
        return (0..<count).map { microphone in
            let azimuth = -2 * Double.pi * Double(microphone) / Double(count)
            var samples = noise().prefix(Self.frames).map { 1e-3 * $0 }
            for source in sources {
                let delay = 100 - 12.24 * cos(azimuth - source.azimuth)
                let (whole, part) = (Int(delay), delay - Double(Int(delay)))
                for frame in 0..<Self.frames {
                    let place = frame + 200 - whole
                    samples[frame] += (1 - part) * source.noise[place - 1] + part * source.noise[place - 2]
                }
            }
            return samples.map { Float($0) }
        }
    }

    private func finding(_ channels: [[Float]], format: Int = SoundFixture.wav) throws -> RingFinding {
        let path = fixture.write("ring.wav", format: format, channels: channels.count, frames: Self.frames) { channels[$1][$0] }
        return try #require(try RingFinding(path: path) { _ in true })
    }

    private func mix(_ channels: [[Float]], _ gain: Float) -> [Float] {
        (0..<Self.frames).map { frame in gain * channels.reduce(0) { $0 + $1[frame] } }
    }

    @Test(arguments: [4, 8, 16]) func aRingHasNone(count: Int) throws {
        let finding = try finding(ring(count))
        #expect(finding.excluded == [] && finding.isJudged && finding.inverted == [])
        #expect(finding.order == .right, "\(finding)")
    }

    @Test(arguments: [(5, 1.0), (8, 0.125), (16, 0.1)]) func aMixIsFound(count: Int, gain: Double) throws {
        var channels = ring(count)
        channels[2] = mix(channels.enumerated().filter { $0.offset != 2 }.map(\.element), Float(gain))
        let finding = try finding(channels)
        #expect(finding.mixes == [3] && finding.copies == [] && finding.silent == [] && finding.isJudged, "\(finding)")
    }

    /// In a file of 16 bits, after all microphones, and of some of them at different levels.
    @Test func aRoundedMixOfSomeIsFound() throws {
        let channels = ring(8)
        let mixed = mix(channels[0..<4].enumerated().map { index, channel in channel.map { $0 * Float(index + 1) } }, 0.1)
        let finding = try finding(channels + [mixed], format: 0x010002)
        #expect(finding.mixes == [9] && finding.copies == [], "\(finding)")
    }

    @Test func copiesAreFound() throws {
        var channels = ring(8)
        channels[5] = channels[1].map { -0.5 * $0 }
        channels[7] = channels[3]
        let finding = try finding(channels)
        #expect(finding.copies == [[2, 6], [4, 8]] && finding.mixes == [], "\(finding)")
    }

    @Test func theOthersAreJudgedWithoutADeadMicrophone() throws {
        var channels = ring(16)
        channels[4] = [Float](repeating: 0, count: Self.frames)
        #expect(try finding(channels).order == .right)
        channels[9] = channels[9].map { -$0 }
        let found = try finding(channels)
        #expect(found.silent == [5] && found.inverted == [10] && found.isJudged && found.order == .right, "\(found)")
        channels.swapAt(11, 12)
        #expect(try finding(channels).order == .wrong)
        let few = try finding(Array(ring(4).prefix(3)) + [channels[4]])
        #expect(few.silent == [4] && !few.isJudged && few.order == .unknown)
    }

    @Test func aMicrophoneThatIsNotConnectedIsNamed() throws {
        var (channels, random) = (ring(8), SeededRandom(fixed: 9))
        channels[6] = (0..<Self.frames).map { _ in Float.random(in: -0.01...0.01, using: &random) }
        let found = try finding(channels)
        #expect(found.unconnected == [7] && found.silent == [] && found.isJudged && found.order == .right, "\(found)")
        // Channels without anything in common tell nothing.
        let noise = (0..<8).map { _ in (0..<Self.frames).map { _ in Float.random(in: -0.1...0.1, using: &random) } }
        let none = try finding(noise)
        #expect(none.excluded == [] && none.order == .unknown)
    }

    /// The sound field of one source is symmetric: microphones on both sides have the same sound and are no copies.
    @Test func mirroredMicrophonesAreNoCopies() throws {
        let side = ring(16)
        let channels = (0..<8).map { side[min($0, 8 - $0)] }
        #expect(try finding(channels).copies == [])
        #expect(try finding([3, 0, 6, 1, 7, 2, 5, 4].map { channels[$0] }).copies == [])
    }
}
