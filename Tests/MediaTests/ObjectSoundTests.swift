import Foundation
import Parameters
import Testing

@testable import Media

/// Sounds of objects: found by name only, read in whole, made into a loop.
@Suite struct ObjectSoundTests {
    let fixture = SoundFixture()

    @Test func twoChannelsBecomeTheirMean() throws {
        let path = fixture.write("two.wav", channels: 2, frames: 480) { frame, channel in
            sine(1000, 48000, frame) * (channel == 0 ? 1 : 0.5)
        }
        let sound = try #require(try ObjectSoundFile.read(path: path, rate: 48000))
        #expect(sound.mono.count == 480)
        #expect(sound.mono.indices.allSatisfy { abs(sound.mono[$0] - 0.75 * sine(1000, 48000, $0)) < 1e-6 })
        let slower = try #require(try ObjectSoundFile.read(path: path, rate: 24000))
        #expect(abs(slower.mono.count - 240) <= 1)
        #expect(try ObjectSoundFile.read(path: path, rate: 48000) { _ in false } == nil)
    }

    @Test func oneChannelIsThatOfTheFile() throws {
        let path = fixture.write("apart.wav", channels: 2, frames: 480) { frame, channel in sine(channel == 0 ? 1000 : 2000, 48000, frame) }
        for (channel, hertz) in [(SoundChannel.left, 1000), (.right, 2000)] {
            let sound = try #require(try ObjectSoundFile.read(path: path, rate: 48000, channel: channel)).mono
            #expect(sound.indices.allSatisfy { abs(sound[$0] - sine(Double(hertz), 48000, $0)) < 1e-6 }, "\(channel)")
        }
    }

    @Test func fourChannelsAreRefusedForWhatTheyAre() throws {
        let path = fixture.write("four.wav", channels: 4, frames: 480) { _, _ in 0 }
        let problem =
            "\(path) has 4 channels, but the sound of an object has one or two. Export the channels you want to a file of their own."
        #expect(throws: MediaError(problem)) { try ObjectSoundFile.check(path: path) }
    }

    /// A discontinuous sound loops without a jump and keeps its beginning.
    @Test func theEndJoinsTheBeginning() throws {
        func made(_ frame: Int) -> Float { 0.5 * Float(cos(2 * Double.pi * 100.3 * Double(frame) / 48000)) }
        let path = fixture.write("open.wav", channels: 1, frames: 3600) { frame, _ in made(frame) }
        let sound = try #require(try ObjectSoundFile.read(path: path, rate: 48000)).mono
        #expect((0..<3000).allSatisfy { abs(sound[$0] - made($0)) < 1e-6 })
        let (jump, was) = (abs(sound[3599] - sound[0]), abs(made(3599) - made(0)))
        #expect(was > 0.3 && jump < 0.02, "\(20 * log10(jump / was)) dB of what it was")
    }

    @Test func soundsAreFoundByName() throws {
        let path = fixture.write("Bell.wav", channels: 1, frames: 10) { _, _ in 0 }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let elsewhere = SoundLibrary(folder: folder + "/none", files: [path])
        #expect(try elsewhere.path("Bell.wav") == path)
        let shelf = SoundLibrary(folder: folder)
        #expect(shelf.names.contains("Bell.wav"))
        #expect(try shelf.path("Bell.wav") == path)
        for wrong in ["bell.waf", "../Bell.wav", path, "", ".hidden", "Bell.wav/"] {
            #expect(throws: MediaError.self, "\(wrong)") { try shelf.path(wrong) }
        }
        #expect(throws: MediaError("There is no sound \"Bel.wav\". Did you mean Bell.wav?")) { try shelf.path("Bel.wav") }
    }
}
