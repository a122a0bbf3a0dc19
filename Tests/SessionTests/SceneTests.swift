import DSP
import Effects
import Parameters
import Rack
import Session
import TestSupport
import Testing

@Suite struct SceneTests {
    let tree = ParameterTree(listeners: 1, trackers: 1, methods: ["nearest", "linear", "two-band"])

    func way(_ spec: ParameterSpec, _ from: Float, _ to: Float) -> SceneCrossfade {
        SceneCrossfade([.init(address: "/x", spec: spec, from: from, to: to)], start: 1_000_000_000, duration: 2_000_000_000)
    }

    func value(_ walk: SceneCrossfade, at seconds: Double) -> Float? { walk.values(UInt64(seconds * 1e9)).first?.value }

    @Test func decibelsGoInEvenSteps() throws {
        let walk = way(ListenerParameter.gain.spec, -24, 0)
        for (seconds, expected) in [(0.5, Float(-24)), (1, -24), (1.5, -18), (2, -12), (2.75, -3), (3, 0), (100, 0)] {
            let gain = try #require(value(walk, at: seconds))
            #expect(abs(gain - expected) < 1e-4, "\(seconds) s: \(gain) dB")
        }
    }

    @Test func frequenciesGoInEvenRatios() throws {
        let spec = try #require(
            EffectKind.equaliser.parameters.first {
                if case .number(logarithmic: true) = $0.spec.kind { $0.spec.unit == .hertz } else { false }
            }
        ).spec
        let walk = way(spec, 100, 6400)
        for (seconds, expected) in [(1.0, Float(100)), (2, 800), (2.333333, 1600), (3, 6400)] {
            let frequency = try #require(value(walk, at: seconds))
            #expect(abs(frequency / expected - 1) < 1e-3, "\(seconds) s: \(frequency) Hz")
        }
        // A linear scale would be at 3250 Hz half way.
        #expect(spec.between(100, 6400, 0.5) < 801)
    }

    @Test func theEndIsExact() {
        var random = SeededRandom()
        for _ in 0..<1000 {
            let (from, to) = (random.within(-60...12) as Float, random.within(-60...12) as Float)
            #expect(value(way(ListenerParameter.gain.spec, from, to), at: 3) == to, "\(from) to \(to)")
        }
    }

    @Test func aChangedParameterLeavesTheCrossfade() {
        var walk = SceneCrossfade(
            ["/rack/input/slot/1/mix", "/rack/input/slot/2/mix", "/listener/1/gain"].map {
                .init(address: $0, spec: ListenerParameter.gain.spec, from: 0, to: -10)
            }, start: 0, duration: 0)
        let released = [walk.release("/listener/1/gain"), walk.release("/listener/1/gain")]
        #expect(released == [true, false])
        #expect(Set(walk.values(0).map(\.address)) == ["/rack/input/slot/1/mix", "/rack/input/slot/2/mix"])
        #expect(walk.values(0).allSatisfy { $0.value == -10 }, "without a crossfade all values change at once")
        walk.release(below: "/rack/input/")
        #expect(walk.isEmpty)
    }

    @Test func scenesRampGradualParametersOnly() {
        func node(_ address: String) -> ParameterTree.Node { tree.nodes[tree.index(at: address)!] }
        for address in ["/listener/1/gain", "/listener/1/ear-azimuth", "/protection/ceiling", "/cue/gain"] {
            #expect(node(address).isInScenes && node(address).spec.isGradual, "\(address)")
        }
        for address in [
            "/listener/1/method", "/listener/1/mute", "/array/setting/radius", "/array/setting/gain", "/listener/1/head-radius",
        ] {
            #expect(node(address).isInScenes && !node(address).spec.isGradual, "\(address)")
        }
        for address in [
            "/listener/1/ypr", "/listener/1/front", "/tracker/1/centre", "/scene/crossfade", "/session/recording", "/engine/load",
        ] {
            #expect(!node(address).isInScenes, "\(address)")
        }
        #expect(node("/listener/1/front").isInSessions && node("/tracker/1/centre").isInSessions && node("/scene/crossfade").isInSessions)
        #expect(!node("/listener/1/ypr").isInSessions && !node("/listener/1/quaternion").isInSessions)
    }

    @Test func aRackChangesWhatStandsThereAndKeepsSettings() {
        func slot(_ kind: EffectKind, _ number: Int, _ first: Float) -> RackDescription.Place {
            var slot = RackDescription.Slot(kind)
            slot.number = number
            slot.values[0] = first
            return .slot(slot)
        }
        let old = RackDescription([slot(.delay, 1, 100), slot(.chorus, 2, 1)])
        let new = RackDescription([slot(.gate, 3, -30), slot(.delay, 1, 400)])
        let start = RackTransition.start(from: old, to: new)
        #expect(RackModel(start).layout == RackModel(new).layout)
        #expect(start.slots.map(\.values[0]) == [-30, 100])
        #expect(RackTransition.start(from: new, to: new) == new)
        let settings = RackTransition.settings(new, in: "/rack/input")
        #expect(settings.contains { $0.address == "/rack/input/slot/1/delay/time" && $0.value == .number(400) })
        #expect(settings.contains { $0.address == "/rack/input/slot/3/bypass" && $0.value == .number(0) })
        #expect(settings.count == 2 * 2 + EffectKind.gate.numbers + EffectKind.delay.numbers)
    }
}
