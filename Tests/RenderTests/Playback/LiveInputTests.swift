import Binaural
import Crossing
import Parameters
import Render
import RenderCore
import RenderInterface
import TestSupport
import Testing

/// Live input, cues and metronome clicks at the listeners' ears.
@Suite struct LiveInputTests {
    static func ramp(_ frames: Int) -> [Float] { (0..<2 * frames).map { Float($0 / 2) / ($0 % 2 == 0 ? 1000 : -1000) } }

    /// A file instead of a sound card loops exactly, without any recording.
    @Test func aClipIsHeardAsItIs() {
        var harness = RenderHarness(method: .nearest, clip: InputClip(interleaved: Self.ramp(100)))
        harness.render(blocks: 10)
        for n in 0..<640 { #expect(harness.left[n] == Float(n % 100) / 1000 && harness.right[n] == -harness.left[n]) }
    }

    @Test func inputOfASoundCardIsHeardInTheNextBlock() {
        var harness = RenderHarness(method: .nearest)
        let left = (0..<64).map { Float($0) / 64 }
        let right = [Float](repeating: 0.5, count: 64)
        harness.graph.take(left: left, right: right, frames: 64, from: 1_000_000)
        harness.render(blocks: 2, time: { _ in .init(begin: 2_000_000, output: 3_500_000) })
        #expect(Array(harness.left[..<64]) == left && Array(harness.right[..<64]) == right)
        // No input arrived for the second block: silence, without repeating the first.
        #expect(harness.left[64...].allSatisfy { $0 == 0 })
        #expect(harness.engine.read().inputLatency == 2_500_000)
    }

    @Test(arguments: [("stereo", 0.5, 0.25), ("left", 0.5, 0.5), ("right", 0.25, 0.25), ("sum", 0.375, 0.375)] as [(String, Float, Float)])
    func channelsAndGain(_ choice: String, _ left: Float, _ right: Float) {
        var harness = RenderHarness(method: .nearest, clip: InputClip(interleaved: [0.5, 0.25]))
        harness.set(InputParameter.channels, Float(InputParameter.choices.firstIndex(of: choice)!))
        harness.set(InputParameter.gain, -6)
        harness.render(blocks: 500)
        #expect(abs(harness.left.last! / left - 0.5012) < 1e-3 && abs(harness.right.last! / right - 0.5012) < 1e-3)
        harness.set(InputParameter.mute, 1)
        harness.render(blocks: 500)
        #expect(harness.left.last! == 0)
        #expect(abs(harness.lines.direct.inputLevels.take(0) - 0.5) < 1e-6)
    }

    /// The mute of the tuner silences every listener, with a fade, and ends without a trace.
    @Test func theTunerMutesEveryListener() {
        var harness = RenderHarness(method: .nearest, listeners: 2, clip: InputClip(interleaved: [0.5, 0.25]))
        harness.render(blocks: 100)
        #expect(harness.left.last == 0.5)
        harness.set(TunerParameter.mute, 1)
        harness.render(blocks: 300)
        #expect(harness.left.last == 0)
        let fade = harness.left.dropFirst(3200)
        let steps = zip(fade.dropFirst(), fade).map { abs($0 - $1) }.max() ?? 1
        #expect(steps < 0.01, "\(steps)")
        harness.set(TunerParameter.mute, 0)
        harness.render(blocks: 300)
        #expect(harness.left.last == 0.5)
    }

    static let bank = CueBank([
        ("tick", [1, 1]), ("tock", [0.5, 0.5]), ("long", .init(repeating: 0.1, count: 2000)),
        ("side", [0.25, 0, 0.25, 0]),
    ])

    @Test func severalCuesSoundAtOnce() {
        var harness = RenderHarness(method: .nearest, bank: Self.bank)
        var commands = harness.lines.direct.cues.take()
        for _ in 0..<3 { _ = commands.push(CueCommand(sound: 2, gain: 1)) }
        _ = commands.push(CueCommand(sound: 3, gain: 2))
        harness.render(blocks: 1)
        #expect(abs(harness.left[0] - 0.8) < 1e-6 && abs(harness.right[0] - 0.3) < 1e-6 && abs(harness.left[63] - 0.3) < 1e-6)
        harness.render(blocks: 20)
        #expect(abs(harness.left[999] - 0.3) < 1e-6 && harness.left[1000] == 0)
        // More cues than voices: the oldest ones end.
        for _ in 0..<40 { _ = commands.push(CueCommand(sound: 2, gain: 1)) }
        harness.render(blocks: 1)
        #expect(abs(harness.left.last! - 1.6) < 1e-5)
        _ = commands.push(CueCommand(sound: -1, gain: 0))
        harness.render(blocks: 20)
        #expect(harness.left.last! == 0)
    }

    /// A cue that is stopped fades, and so does one that gives way to another.
    @Test func cuesThatEndDoNotClick() {
        let bank = CueBank([("tick", [1, 1]), ("tock", [1, 1]), ("long", .init(repeating: 0.5, count: 40_000)), ("none", [0, 0, 0, 0])])
        func steps(_ end: (inout Ring<CueCommand>.Producer) -> Void) -> (largest: Float, last: Float) {
            var harness = RenderHarness(method: .nearest, bank: bank)
            var commands = harness.lines.direct.cues.take()
            _ = commands.push(CueCommand(sound: 2, gain: 1))
            harness.render(blocks: 10)
            end(&commands)
            harness.render(blocks: 10)
            let heard = harness.left[320...]
            return (zip(heard, heard.dropFirst()).map { abs($0 - $1) }.max()!, heard.last!)
        }
        let stopped = steps { _ = $0.push(CueCommand(sound: -1, gain: 0)) }
        #expect(stopped.largest < 0.0017 && stopped.last == 0)
        // A fade of 20 ms: half of it after ten blocks of 64 frames, less than the 0.25 of its middle later than 0.01 s.
        let faded = steps { _ = $0.push(CueCommand(sound: -1, gain: 0, fade: 0.02)) }
        #expect(faded.largest < 0.0009 && faded.last > 0.1 && faded.last < 0.25)
        let replaced = steps { commands in
            for _ in 0..<16 { _ = commands.push(CueCommand(sound: 3, gain: 1)) }
        }
        #expect(replaced.largest < 0.0017 && replaced.last == 0)
        #expect(steps { _ in }.last == 0.5)
    }

    /// Clicks are at the exact frames given by tempo and rate, for more than a minute.
    @Test(arguments: [(120, 4, 1), (97, 3, 2), (300, 7, 4)] as [(Float, Float, Float)])
    func clicksKeepTime(_ tempo: Float, _ beats: Float, _ parts: Float) {
        var harness = RenderHarness(method: .nearest, bank: Self.bank)
        harness.set(MetronomeParameter.tempo, tempo)
        harness.set(MetronomeParameter.beats, beats)
        harness.set(MetronomeParameter.parts, parts)
        harness.set(MetronomeParameter.gain, 0)
        harness.render(blocks: 3)
        #expect(harness.left.allSatisfy { $0 == 0 })
        harness.set(MetronomeParameter.run, 1)
        harness.render(blocks: 65 * 750)
        let sound = Array(harness.left[192...])
        let clicks = sound.indices.filter { sound[$0] > 0 }
        let apart = 60 * 48_000 / Double(tempo * parts)
        #expect(clicks.count >= Int(64 * 48_000 / apart))
        for (i, place) in clicks.enumerated() {
            #expect(abs(Double(place) - Double(i) * apart) <= 1)
            let isBeat = i % Int(parts) == 0
            let level: Float = !isBeat ? 0.2 : i % Int(parts * beats) == 0 ? 1 : 0.5
            #expect(abs(sound[place] - level) < 1e-6, "click \(i)")
        }
        #expect(harness.lines.direct.beat[0] >= 1)
        harness.set(MetronomeParameter.run, 0)
        harness.render(blocks: 1)
        #expect(harness.lines.direct.beat[0] == 0)
    }
}
