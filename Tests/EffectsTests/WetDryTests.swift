import DSP
import Effects
import Foundation
import Rack
import RackCore
import TestSupport
import Testing

/// The one wet/dry of a slot: its law, its compensation of latency, and how it joins effects.
@Suite struct WetDryTests {
    /// Level of the wet and of the dry part in dB at each share, heard with a delay of one silent echo: the dry part is the impulse
    /// itself, the wet part its echo.
    @Test func sharesFollowEqualPower() {
        for (share, wet, dry) in [
            (Float(0.05), -22.11, -0.03), (0.25, -8.34, -0.69), (0.5, -3.01, -3.01), (0.75, -0.69, -8.34), (0.95, -0.03, -22.11),
        ] {
            let heard = echo(share)
            #expect(abs(decibels(Double(heard.wet)) - wet) < 0.02 && abs(decibels(Double(heard.dry)) - dry) < 0.02, "\(share)")
            #expect(abs(heard.wet * heard.wet + heard.dry * heard.dry - 1) < 1e-5)
        }
        #expect(echo(0) == (0, 1) && echo(1) == (1, 0))
    }

    /// An impulse and its echo through a delay with one repeat.
    func echo(_ share: Float) -> (wet: Float, dry: Float) {
        var description = RackDescription.Slot(.delay)
        description.values = [10, 0, 1, 0.5, 20_000, 0]
        description.mix = share
        var slot = RackSlot(description, rate: 48_000, largestBlock: 64)
        let sound = slot.run(.impulse(1000)).left
        return (sound[480], sound[0])
    }

    /// Linear shares: a flanger at rest in equal parts has complete notches, at 0.25 parts of 0.25 and 0.75.
    @Test func sharesFollowTheLinearLaw() {
        for (share, least, most) in [(Float(0.5), 0.0, 1.0), (0.25, 0.5, 1), (0.75, 0.5, 1)] {
            var description = RackDescription.Slot(.flanger)
            description.values = [0.3, 0, 1, 0, 0]
            description.mix = share
            var slot = RackSlot(description, rate: 48_000, largestBlock: 64)
            let sound = slot.run(.impulse(4800)).left
            #expect(abs(response(sound, 500).magnitude - least) < 1e-3 && abs(response(sound, 1000).magnitude - most) < 1e-3)
        }
    }

    /// A phaser as it is added has notches deeper than 40 dB.
    @Test func phaserNotchesAreDeep() {
        var description = RackDescription.Slot(.phaser)
        description.values = [2, 0.4, 1200, 0, 0, 0]
        var slot = RackSlot(description, rate: 48_000, largestBlock: 64)
        #expect(response(slot.run(.impulse(9600)).left, 1200).decibels < -40)
    }

    /// Each effect that is transparent at these settings stays so at every share, whatever its latency: dry and wet are in phase.
    @Test(arguments: [Float(0), 0.3, 0.5, 1])
    func dryIsAlignedWithWet(_ share: Float) {
        let transparent: [(EffectKind, (inout [Float]) -> Void)] = [
            (.limiter, { $0[0] = 0 }), (.overdrive, { ($0[0], $0[3], $0[2]) = (0, 0, 20_000) }), (.pitchShift, { _ in }),
            (.pitchShift, { $0[3] = 1 }), (.gate, { $0[0] = -90 }), (.equaliser, { _ in }),
        ]
        for (kind, set) in transparent {
            var description = RackDescription.Slot(kind)
            set(&description.values)
            description.mix = share
            var slot = RackSlot(description, rate: 48_000, largestBlock: 64)
            let input = Sound.tone(1000, 24_000, level: 0.001)
            let heard = slot.run(input).left
            // Equal powers of equal sounds add up to more than one of them.
            let gains = kind.wetDry.law.gains(share)
            let expected = gains.wet + gains.dry
            let worst = (16_000..<24_000).reduce(Float(0)) { max($0, abs(heard[$1] - expected * input.left[$1 - slot.latency])) }
            #expect(worst < 4e-5, "\(kind) at \(share): \(worst)")
        }
    }

    /// The wet/dry jumps at every block while the effect plays: no click.
    @Test(arguments: [EffectKind.pitchShift, .delay, .overdrive, .reverb])
    func jumpsOfTheShareDoNotClick(_ kind: EffectKind) {
        let seed = SeededRandom.seed("\(kind.name) shares")
        var random = SeededRandom(seed: seed)
        var slot = RackSlot(RackDescription.Slot(kind), rate: 48_000, largestBlock: 128)
        let input = Sound.tone(80, 48_000, level: 0.1)
        var heard: [Float] = []
        for at in stride(from: 0, to: 48_000 - 128, by: 128) {
            slot.set(mix: random.within(0...1))
            heard += slot.run(Sound(left: Array(input.left[at..<at + 128])), block: 128).left
        }
        var most: Float = 0
        for n in 9600..<heard.count { most = max(most, abs(heard[n] - 3 * heard[n - 1] + 3 * heard[n - 2] - heard[n - 3])) }
        #expect(most < 0.005 && heard.allSatisfy(\.isFinite), "\(most), seed \(seed)")
    }
}
