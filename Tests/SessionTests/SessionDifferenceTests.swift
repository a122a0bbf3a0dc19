import Effects
import Parameters
import Rack
import Session
import Testing

@Suite struct SessionDifferenceTests {
    let tree = ParameterTree(listeners: 2, methods: ["nearest", "linear", "two-band"])

    @Test func exactlyTheDifferencesAreReported() throws {
        var old = SessionFile(recording: "/music/a.wav", snapshot: Snapshot())
        old.snapshot.parameters = ["/listener/2/gain": [.float(-4.5)], "/listener/1/mute": [.bool(true)]]
        old.scenes = [Scene(name: "one", snapshot: Snapshot()), Scene(name: "two", snapshot: Snapshot())]
        old.snapshot.racks["recording"] = RackDescription([.slot(.init(.delay))])
        #expect(SessionDifference.lines(from: old, to: old, tree) == [])
        var new = old
        new.recording = nil
        new.snapshot.parameters = ["/listener/2/gain": [.float(3)], "/listener/1/method": [.string("nearest")]]
        new.snapshot.unknown = ["/later": .bool(true)]
        var delay = RackDescription.Slot(.delay)
        delay.values[0] += 1
        new.snapshot.racks = [
            "recording": RackDescription([.slot(delay), .slot(.init(.gate))]), "input": RackDescription([.slot(.init(.reverb))]),
        ]
        new.scenes = [
            Scene(name: "one", snapshot: Snapshot(parameters: ["/cue/gain": [.float(0)]])), Scene(name: "three", snapshot: Snapshot()),
        ]
        let time = EffectKind.delay.parameters[0].spec
        let words = [EffectKind.delay.initial[0], EffectKind.delay.initial[0] + 1].map { time.words(.number($0)) }
        #expect(
            SessionDifference.lines(from: old, to: new, tree) == [
                "Recording: /music/a.wav to none",
                "Method, listener 1: two-band to nearest",
                "Mute, listener 1: on to off",
                "Gain, listener 2: -4.5 dB to 3 dB",
                "reverb, rack input slot 1: added",
                "Layout, rack input: nothing to 1",
                "\(time.title), rack recording slot 1 delay: \(words[0]) to \(words[1])",
                "gate, rack recording slot 2: added",
                "Layout, rack recording: 1 to 1 2",
                "/later: changed; not known to this version",
                "Scene two: removed",
                "Scene one: changed",
                "Scene three: added",
            ])
    }

    @Test func numbersAreFormattedForPeople() {
        #expect(ListenerParameter.gain.spec.words(.number(-0.1)) == "-0.1 dB")
        #expect(ListenerParameter.gain.spec.words(.number(-0)) == "0 dB")
        #expect(ListenerParameter.earAzimuth.spec.words(.number(89.99996)) == "90°")
        #expect(ArraySetting.gain.spec.words(.vector([1, -2.5])) == "1 -2.5 dB")
        #expect(ArraySetting.gain.spec.words(.vector([])) == "none")
        #expect(ListenerParameter.hrtf.spec.words(.text("")) == "nothing")
        #expect(ListenerParameter.mute.spec.words(.number(1)) == "on")
    }
}
