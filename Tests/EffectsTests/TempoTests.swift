import Effects
import Foundation
import Parameters
import Rack
import Testing

/// A delay whose time is a note length.
@Suite struct TempoTests {
    /// Length in quarter notes of a name: "1/8 dotted" is 0.75.
    func quarters(_ name: String) -> Double {
        let words = name.split(separator: " ")
        let numbers = words[0].split(separator: "/").compactMap { Double($0) }
        guard numbers.count == 2 else { return 0 }
        let plain = 4 * numbers[0] / numbers[1]
        return words.count == 1 ? plain : words[1] == "dotted" ? plain * 1.5 : plain * 2 / 3
    }

    func values(_ note: String, repeats: Float = 1, time: Float = 350) -> [Float] {
        [time, Float(Delay.Settings.notes.firstIndex(of: note)!), repeats, 0.5, 20_000, 0]
    }

    /// Response of a delay at 48 kHz to an impulse; the tempo may change.
    func echoes(_ values: [Float], frames: Int, tempo: (Int) -> Float) -> [Float] {
        run(Sound.impulse(frames), { _ in values }, tempo: tempo)
    }

    func run(_ sound: Sound, _ values: (Int) -> [Float], tempo: (Int) -> Float) -> [Float] {
        var unit = EffectUnit(.delay, rate: 48_000, largestBlock: 64)
        var (left, right) = ([Float](repeating: 0, count: 80), [Float](repeating: 0, count: 80))
        var output: [Float] = []
        for at in stride(from: 0, to: sound.frames, by: 64) {
            for i in 0..<64 { (left[i], right[i]) = (sound.left[at + i], sound.right[at + i]) }
            unit.process(&left, &right, frames: 64, values: values(at), tempo: tempo(at))
            output += left.prefix(64)
        }
        return output
    }

    @Test(arguments: Delay.Settings.notes.dropFirst(), [Float(60), 97, 120, 173.4, 300])
    func anEchoIsANoteLater(_ note: String, _ tempo: Float) {
        let wanted = 60 / Double(tempo) * quarters(note)
        let heard = echoes(values(note), frames: 64 * Int(wanted * 750 + 10)) { _ in tempo }
        let found = heard.indices.filter { abs(heard[$0]) > 1e-6 }
        #expect(found == [Int((wanted * 48_000).rounded())], "\(note) at \(tempo)")
        #expect(abs(Double(EffectKind.delay.interval(values(note), tempo: tempo)!) - 1000 * wanted) < 1e-3 * wanted)
    }

    @Test func withoutANoteLengthTheTempoHasNoEffect() {
        let still = echoes(values("off"), frames: 32_000) { _ in 120 }
        #expect(still.firstIndex { $0 != 0 } == 16_800)
        #expect(echoes(values("off"), frames: 32_000) { Float(20 + $0 / 200) } == still)
        #expect(EffectKind.delay.interval(values("off"), tempo: 60)! == 350)
        // With a note length, the time parameter has no effect.
        let note = echoes(values("1/8"), frames: 32_000) { _ in 120 }
        #expect(echoes(values("1/8", time: 777), frames: 32_000) { _ in 120 } == note && note != still)
    }

    /// From 120 to 118 beats a minute: no step during the change, and afterwards the echo is at its new time.
    @Test func tempoChangesAreSmoothed() {
        let sound = Sound.tone(500, 192_000)
        let heard = run(sound, { _ in values("1/4") }, tempo: { $0 < 48_000 ? 120 : 118 })
        for n in 26_000..<192_000 { #expect(abs(heard[n] - heard[n - 1]) < 0.1) }
        let late = Int((60 / 118.0 * 48_000).rounded())
        for n in 190_000..<192_000 { #expect(abs(heard[n] - sound.left[n - late]) < 1e-4) }
        #expect(abs(heard[100_000] - sound.left[100_000 - late]) > 1e-3 || abs(heard[60_000] - sound.left[60_000 - late]) > 1e-3)
        // Negative control: the step without smoothing.
        #expect((1..<100).map { abs(sound.left[40_000] - sound.left[40_000 - $0]) }.max()! > 0.5)
    }

    @Test(arguments: [
        (Float(1), "1/1", Float(30), Float(4000)), (0, "1/1", 20, 6000), (6, "1/1", 20, 750), (6, "1/4", 60, 1000),
        (2, "1/2 dotted", 50, 1800),
    ])
    func timesBeyondTheLimitAreHalved(_ repeats: Float, _ note: String, _ tempo: Float, _ interval: Float) {
        #expect(abs(EffectKind.delay.interval(values(note, repeats: repeats), tempo: tempo)! - interval) < 1e-3)
    }

    /// Six repeats where the delay was 6 s: they exceed the line's memory, and nothing clicks.
    @Test func manyRepeatsInPlaceOfALongOne() {
        let heard = run(
            .tone(80, 576_000, level: 0.1), { values("1/1", repeats: $0 < 384_000 ? 1 : 6) }, tempo: { _ in 40 })
        for n in 288_200..<576_000 {
            let bend = heard[n] - 3 * heard[n - 1] + 3 * heard[n - 2] - heard[n - 3]
            if abs(bend) > 0.01 { Issue.record("a click of \(bend) at \(n)") }
        }
    }
}
