import Binaural
import CRealtime
import Crossing
import Parameters
import Pose
import Render
import RenderCore
import RenderInterface
import TestSupport
import Testing

/// The audio thread's part and the worker's part of listeners on the network; see ``RenderIsRealtimeSafe``.
@Suite(.serialized) struct NetworkIsRealtimeSafe {
    @Test func whileListenersComeAndGo() {
        var scene = NetworkScene(.nearest, listeners: 3, objects: 2)
        var heard = 0
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 128)
        memory.initialize(repeating: 0, count: 128)
        defer { memory.deallocate() }
        let rooms = RoomPlan.made(rate: 48_000)
        let methods = InterpolationMethod.allCases.count
        for block in 0..<3000 {
            // Between two blocks the control side may allocate and lock.
            if block % 600 == 0 {
                if block > 0 { _ = scene.arrays.send(ArrayEdit(RingLookup(scene.harness.array), version: Int64(block))) }
                scene.harness.play(frames: 40_000, number: Int64(block + 1), version: Int64(block)) { Float(($0 + $1) % 19) / 19 }
            }
            if block % 97 == 0 { scene.harness.set(ListenerParameter.method, Float(block / 97 % methods), of: block % 4) }
            if block % 53 == 0 { scene.harness.lines.present.makeSwitch(1 + block % 3).control.set(block % 2 == 0) }
            if block % 211 == 0 { scene.isNeeded.set(block % 422 == 0) }
            if block % 149 == 148 {
                let array = MicrophoneArray.uniform(count: 16, first: Float(block % 9))
                _ = scene.arrays.send(ArrayEdit(RingLookup(array), version: Int64(block)))
                _ = scene.harness.arrays.send(ArrayEdit(RingLookup(array), version: Int64(block)))
            }
            if block % 83 == 0 {
                let mono = (0..<1000 + block).map { Float($0 % 90) / 300 }
                _ = scene.harness.sounds.send(ObjectSound(object: block % 2, mono: mono))
                scene.harness.set(ObjectParameter.azimuth, Float(block % 360 - 180), of: block % 2)
            }
            // Rooms begin, change, overtake each other and end.
            if block % 61 == 0 { scene.harness.send(block % 183 == 0 ? nil : rooms[block % 2]) }
            for inlet in scene.inlets + [scene.harness.inlet] {
                inlet.send(yaw: Float(block * 3), pitch: Float(block % 90), roll: Float(block % 77), receiveTime: UInt64(block + 1))
            }
            let time = BlockTime(begin: UInt64(block + 2) * 1_333_333, output: UInt64(block + 9) * 1_333_333)
            realtime_enter()
            scene.harness.graph.render(left: memory, right: memory + 64, frames: 64, at: time)
            realtime_exit()
            // A worker that is late now and then, and falls behind once.
            if block % 3 == 0, !(1500..<1900).contains(block) {
                realtime_enter()
                scene.worker.render(hop: 3)
                realtime_exit()
            }
            for ears in scene.ears { heard += ears.read().count { $0 != 0 } }
            for ears in scene.ears { _ = ears.read() }
        }
        #expect(heard > 100_000)
        #expect(scene.harness.lines.network.workers[0].lost > 0)
    }
}
