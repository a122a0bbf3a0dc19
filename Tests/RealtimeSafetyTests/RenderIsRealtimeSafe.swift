import Binaural
import CRealtime
import Crossing
import Foundation
import Parameters
import Render
import TestSupport
import Testing
import Tracking

/// Under RealtimeSanitizer (`make test-realtime`) any allocation, lock or system call inside a render ends the
/// process. Without it these are plain tests.
@Suite(.serialized) struct RenderIsRealtimeSafe {
    @Test func withEverythingMoving() {
        var harness = RenderHarness(method: .nearest, listeners: 3, objects: 4)
        let control = PoseInlet(
            harness.lines.listeners[1].controlPoses.take(), origin: .control, horizon: harness.lines.listeners[1].horizon)
        let gate = harness.lines.listeners[0].isHeard.take()
        var ears = harness.lines.listeners[0].ears.take()
        var personal = harness.lines.listeners[0].personal.take()
        // Not arrays: theirs is a check for uniqueness, and a copy, at the first use inside.
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 128)
        memory.initialize(repeating: 0, count: 128)
        defer { memory.deallocate() }
        let (left, right) = (memory, memory + 64)
        let methods = InterpolationMethod.allCases.count
        var heard: Float = 0
        for block in 0..<4000 {
            // What the control side does between two blocks may do anything.
            if block % 700 == 0 { harness.play(frames: 20_000, number: Int64(block), ends: block % 1400 == 0) { $1 % 50 == 0 ? 1 : 0 } }
            if block == 2500 { harness.play(frames: 60_000, number: 9999, channels: 8) { _, frame in Float(frame % 7) } }
            if block % 333 == 0 { harness.set(TransportParameter.state, Float(block / 333 % 3)) }
            if block % 91 == 0 { harness.set(ListenerParameter.method, Float(block / 91 % methods)) }
            if block % 57 == 0 { harness.set(ListenerParameter.gain, Float(block % 40) - 30) }
            if block % 149 == 0 {
                let calibration = Calibration(
                    gains: [0.5, 2], inverted: [true], muted: (0..<16).map { $0 == block % 16 }, delays: [0, 3.5, Float(block % 50)])
                let array = MicrophoneArray.uniform(count: 16, first: Float(block % 9), clockwise: block % 2 == 0)
                _ = harness.arrays.send(ArrayEdit(RingLookup(array, calibration: calibration), version: Int64(block)))
            }
            if block % 77 == 0 { _ = personal.send(PersonalEars(Self.bank(firstAzimuth: Float(block % 9)))) }
            // Objects come, go, jump, are exchanged, and take a channel of what comes in live.
            if block % 83 == 0 {
                let object = block / 83 % 4
                let mono = (0..<1000 + block).map { Float($0 % 90) / 300 }
                _ = harness.sounds.send(
                    block % 3 == 0
                        ? ObjectSound(object: object, channel: block % 2 == 0 ? nil : 1) : ObjectSound(object: object, mono: mono))
                harness.set(ObjectParameter.azimuth, Float(block % 360 - 180), of: object)
                harness.set(ObjectParameter.elevation, Float(block % 180 - 90), of: object)
                harness.set(ObjectParameter.distance, Float(block % 30), of: object)
                harness.set(ObjectParameter.mute, Float(block / 7 % 2), of: object)
            }
            if block % 5 == 0 { harness.graph.take(left: left, right: right, frames: 64, from: UInt64(block)) }
            if block % 71 == 0 { harness.set(ArraySetting.crossover, Float(block % 3) * 1500) }
            if block % 113 == 0 { harness.set(ListenerParameter.earAzimuth, Float(80 + block % 30)) }
            if block % 37 == 0 { harness.set(ListenerParameter.autoPrediction, Float(block / 37 % 2)) }
            if block % 53 == 0 { harness.set(ListenerParameter.prediction, Float(block % 30)) }
            if block % 400 == 0 { gate.set(block % 800 == 0) }
            harness.inlet.send(
                yaw: Float(block * 3), pitch: Float(block % 180), roll: Float(block % 77), receiveTime: UInt64(block + 1) * 1_333_333)
            if block % 3 == 0 { control.send(yaw: Float(-block), pitch: 0, roll: 90, receiveTime: 2) }
            let time = BlockTime(begin: UInt64(block + 2) * 1_333_333, output: UInt64(block + 9) * 1_333_333)
            realtime_enter()
            harness.graph.render(left: left, right: right, frames: 64, at: time)
            realtime_exit()
            for i in 0..<128 {
                heard = max(heard, memory[i])
                if !memory[i].isFinite { Issue.record("not finite in block \(block)") }
            }
            _ = ears.read(memory, frames: 16)
        }
        #expect(heard > 0)
        print("checked by RealtimeSanitizer:", realtime_is_checked() != 0)
    }

    /// Filters for an array as the edits above make it now and then.
    static func bank(firstAzimuth: Float) -> FilterBank {
        let layout = PersonalLayout(.uniform(count: 16, first: firstAzimuth))
        let frame = PersonalFrame(rate: 48_000)
        let taps = (0..<32 * frame.taps).map { Float($0 % 7) / 4096 }
        return FilterBank(layout, frame, sets: .init(repeating: taps, count: layout.sets))
    }

    /// Must die under the sanitizer; `make test-realtime` runs it alone and expects that.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["CANARY"] != nil))
    func canary() {
        realtime_enter()
        let grown = [Int](repeating: 3, count: Int.random(in: 100...200))
        realtime_exit()
        print(grown.count)
    }
}
