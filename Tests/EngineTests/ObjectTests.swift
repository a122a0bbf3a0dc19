import Engine
import Foundation
import Hub
import Parameters
import Testing

/// Sound objects: a sound by name, its position, and the levels at the ears.
@Suite struct ObjectTests {
    let folder: TestFolder
    let harness: EngineHarness

    init() throws {
        folder = TestFolder()
        _ = try folder.sound("voice.wav")
        harness = try EngineHarness(folder, objects: 2)
        try harness.start()
        harness.send("/transport/play")
    }

    /// At 750 Hz a sphere of the size of a head makes 2 dB between an ear facing the sound and one turned away from it.
    @Test func anObjectIsHeardFromItsSide() {
        #expect(harness.text("/object/sounds") == "voice.wav")
        #expect(harness.settledLevel() < -100)
        harness.send("/object/1/azimuth", .float(90))
        #expect(harness.send("/object/1/source", .string("voice.wav")) == .done)
        harness.until("the sound has been read") { harness.text("/object/1/state").hasPrefix("ready") }
        harness.until("the object is heard at the left") {
            let level = harness.level()
            return level.left > -25 && level.left > level.right + 1
        }
        harness.send("/object/1/azimuth", .float(-90))
        harness.until("the object is heard at the right") {
            let level = harness.level()
            return level.right > -25 && level.right > level.left + 1
        }
        let before = harness.level().right
        harness.send("/object/1/gain", .float(-20))
        harness.until("the object is 20 dB quieter") { abs(harness.level().right - before + 20) < 1 }
        harness.send("/object/1/source", .string(""))
        harness.until("the object is silent") { harness.level().right < -90 }
    }

    @Test func theChannelOfAStereoFileIsChosen() throws {
        _ = try folder.stereoSound("piano.wav")
        harness.send("/object/1/azimuth", .float(90))
        harness.send("/object/1/channel", .string("left"))
        harness.send("/object/1/source", .string("piano.wav"))
        harness.until("the left channel has been read") { harness.text("/object/1/state").hasPrefix("ready") }
        let left = harness.settledLevel()
        harness.send("/object/1/channel", .string("right"))
        harness.until("the right channel is 20 dB quieter") { abs(harness.level().left - left + 20) < 0.5 }
        harness.send("/object/1/channel", .string("both"))
        harness.until("the average is 5.2 dB quieter") { abs(harness.level().left - left + 5.2) < 0.5 }
        #expect(harness.text("/object/1/source") == "piano.wav")
    }

    @Test func theStateSaysThatASoundWaitsForTheTransport() {
        let waits = "heard when the transport plays"
        harness.send("/transport/pause")
        harness.send("/object/1/source", .string("voice.wav"))
        harness.until("the sound waits") { harness.text("/object/1/state").hasSuffix(waits) }
        #expect(harness.settledLevel() < -100)
        harness.send("/transport/play")
        harness.until("the sound is heard") { harness.level().left > -30 }
        harness.until("the state says so") {
            harness.text("/object/1/state").hasPrefix("ready") && !harness.text("/object/1/state").contains(waits)
        }
        harness.send("/transport/stop")
        harness.until("the sound waits again") { harness.text("/object/1/state").hasSuffix(waits) }
    }

    @Test func aNewSoundStartsTheTransportByChoice() {
        harness.send("/transport/stop")
        harness.send("/object/autoplay", .bool(true))
        harness.send("/object/1/source", .string("voice.wav"))
        harness.until("the sound is heard") { harness.level().left > -30 }
        #expect(harness.text("/object/1/source") == "voice.wav")
        // What a session or undo sets does not start it.
        harness.send("/object/1/source", .string(""))
        harness.send("/transport/stop")
        harness.send("/session/undo")
        harness.until("the sound waits") { harness.text("/object/1/state").hasSuffix("heard when the transport plays") }
    }

    @Test func aSoundThatIsMissingIsRefused() {
        #expect(harness.send("/object/1/source", .string("voice.wav")) == .done)
        let reply = harness.send("/object/1/source", .string("voise.wav"))
        #expect(reply.text?.contains("Did you mean voice.wav?") == true, "\(reply)")
        let input = harness.send("/object/2/source", .string("input 1"))
        #expect(input.text?.contains("there is no live input") == true, "\(input)")
        #expect(harness.text("/object/1/source") == "voice.wav" && harness.text("/object/2/source") == "")
    }

    @Test func anObjectsSourceIsUndone() {
        harness.send("/object/1/source", .string("voice.wav"))
        harness.until("the object is heard") { harness.level().left > -30 }
        harness.send("/session/undo")
        #expect(harness.text("/object/1/source") == "")
        harness.until("the object is silent") { harness.level().left < -90 }
        harness.send("/session/redo")
        harness.until("the object is heard again") { harness.level().left > -30 }
    }
}
