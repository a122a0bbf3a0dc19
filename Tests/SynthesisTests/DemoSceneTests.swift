import Binaural
import DSP
import Foundation
import Media
import Synthesis
import Testing

/// Two bars of the demonstration; in a debug build the whole piece would take a minute.
@Suite struct DemoSceneTests {
    static let scene = DemoScene(bars: 2)

    @Test func lengthIsWholeBars() {
        #expect(DemoScene().frames == 32 * 48_000)
        #expect(Self.scene.frames * 6 == DemoScene().frames)
    }

    @Test func soundsAreLevelledLoopsWithDistinctDirections() throws {
        let sources = Self.scene.sources()
        #expect(sources.count >= 12)
        #expect(Set(sources.map { SIMD2($0.placement.azimuth, $0.placement.elevation) }).count == sources.count)
        #expect(Set(sources.map(\.placement.name)).count == sources.count)
        for source in sources {
            let signal = try #require(source.sound as? MonoSignal)
            #expect(signal.frames == Self.scene.frames && signal.rate == 48_000)
            let energy = signal.samples.reduce(0.0) { $0 + Double($1 * $1) } / Double(signal.frames)
            #expect((-26 ... -19).contains(10 * log10(energy)), "\(source.placement.name)")
            #expect(seam(signal.samples), "\(source.placement.name) clicks at its seam")
        }
        let winds = sources.suffix(6).compactMap { ($0.sound as? MonoSignal)?.samples }
        for (a, b) in zip(winds, winds.dropFirst()) {
            let product = zip(a, b).reduce(0.0) { $0 + Double($1.0 * $1.1) }
            let norm = sqrt(a.reduce(0.0) { $0 + Double($1 * $1) } * b.reduce(0.0) { $0 + Double($1 * $1) })
            #expect(abs(product / norm) < 0.2)
        }
    }

    @Test func recordingIsALoopAtAGoodLevel() throws {
        let array = MicrophoneArray.uniform(count: 4)
        let recording = try Recording(Self.scene.synthesis(array: array))
        for (index, channel) in recording.channels.enumerated() {
            #expect(channel.count == Self.scene.frames)
            let peak = channel.reduce(0) { max($0, abs($1)) }
            let energy = channel.reduce(0.0) { $0 + Double($1 * $1) } / Double(channel.count)
            #expect(20 * log10(peak) < -3)
            #expect((-24 ... -18).contains(10 * log10(energy)), "microphone \(index + 1)")
            #expect(seam(channel), "microphone \(index + 1) clicks at the seam")
        }
    }

    /// Whether the bend of the waveform at the seam is no sharper than others within a quarter of a second around it.
    private func seam(_ samples: [Float]) -> Bool {
        let around = Array(samples.suffix(6000) + samples.prefix(6000))
        var bends: [Float] = []
        for n in 1..<around.count - 1 { bends.append(abs(around[n - 1] - 2 * around[n] + around[n + 1])) }
        let here = max(bends[5998], bends[5999])
        return here <= bends.sorted()[bends.count * 999 / 1000] + 1e-6
    }
}
