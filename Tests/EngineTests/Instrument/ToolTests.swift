import Engine
import Foundation
import Media
import TestSupport
import Testing

@Suite struct ToolTests {
    @Test(
        arguments: [
            (440, 440, "A4", 0), (442, 440, "A4", 7.85), (261.626, 440, "C4", 0), (27.5, 440, "A0", 0), (466.16, 440, "A♯4", 0),
            (453, 440, "A♯4", -49.6), (440, 442, "A4", -7.85), (41.203, 440, "E1", 0),
        ] as [(Float, Float, String, Float)])
    func notes(_ frequency: Float, _ reference: Float, _ name: String, _ cents: Float) {
        let note = NoteName(frequency: frequency, reference: reference)
        #expect(note.name == name)
        #expect(abs(note.cents - cents) < 0.1)
    }

    /// Taps half a second apart give 120; a single late tap changes nothing; a pause starts again.
    @Test func taps() {
        var tempo = TapTempo()
        #expect(tempo.tap(at: 1_000_000_000) == nil)
        for i in 1...4 { #expect(tempo.tap(at: 1_000_000_000 + UInt64(i) * 500_000_000) == 120) }
        #expect(tempo.tap(at: 3_700_000_000) == 120)
        #expect(tempo.tap(at: 60_000_000_000) == nil)
        #expect(tempo.tap(at: 61_000_000_000) == 60)
    }

    @Test func cuesAreMadeAndRead() throws {
        let rate = 48_000
        let made = try CueLibrary(folder: nil, rate: rate)
        #expect(made.names.prefix(2) == ["tick", "tock"])
        for sound in made.sounds {
            #expect(sound.interleaved.allSatisfy { $0.isFinite && abs($0) <= 1 } && sound.interleaved.contains { abs($0) > 0.2 })
            #expect(abs(sound.interleaved[0]) < 0.01 && abs(sound.interleaved.last!) < 0.01)
        }
        let temporary = TemporaryFolder()
        let folder = temporary.url
        let writer = try SoundWriter(path: folder.appending(path: "go.wav").path, channels: 2, rate: rate)
        try writer.write([0.5, -0.5, 0.25, 0], frames: 2)
        try writer.finish()
        let read = try CueLibrary(folder: folder.path, rate: rate)
        #expect(read.names == made.names + ["go"])
        #expect(read.sounds.last!.interleaved == [0.5, -0.5, 0.25, 0])
        try Data("no sound".utf8).write(to: folder.appending(path: "wrong.wav"))
        #expect(throws: MediaError.self) { _ = try CueLibrary(folder: folder.path, rate: rate) }
        #expect(throws: MediaError.self) { _ = try CueLibrary(folder: "/nowhere", rate: rate) }
    }
}
