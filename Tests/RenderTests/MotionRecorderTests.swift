import Binaural
import Crossing
import Foundation
import Parameters
import Pose
import Render
import RenderInterface
import TestSupport
import Testing

/// Rendering a session again from its recorded motion, sample by sample.
@Suite struct MotionRecorderTests {
    private static let blocks = 400

    private static func sample(_ channel: Int, _ frame: Int) -> Float {
        sin(Float(frame) * (0.05 + 0.013 * Float(channel))) * 0.2
    }

    private let folder = TemporaryFolder()
    private var file: URL { folder.url.appending(path: "tape.csv") }

    /// Renders live: a tracker at 333 Hz, blocks of varying size, an output latency of 15 ms.
    private func live(method: InterpolationMethod, predicts: Bool) throws -> (left: [Float], right: [Float]) {
        var harness = RenderHarness(method: method)
        var heads = harness.lines.listeners[0].heads.take()
        let gate = harness.lines.listeners[0].isRecorded.take()
        let writer = try MotionWriter(MotionWriter.File(path: file.path))
        gate.set(true)
        harness.set(ListenerParameter.autoPrediction, predicts ? 1 : 0)
        harness.play(frames: 64 * Self.blocks, Self.sample)
        var sent = 0
        func time(_ seconds: Double) -> UInt64 { UInt64((seconds + 50) * 1e9) }
        harness.render(
            blocks: Self.blocks,
            time: { .init(begin: time(Double($0) * 64 / 48_000), output: time(Double($0) * 64 / 48_000 + 0.015)) },
            before: { block, inlet in
                while Double(sent) / 333 < Double(block) * 64 / 48_000 {
                    let at = Double(sent) / 333
                    inlet.send(
                        yaw: Float(90 * sin(6 * at)), pitch: Float(20 * sin(9 * at)), roll: Float(10 * cos(4 * at)),
                        receiveTime: time(at))
                    sent += 1
                }
                while let step = heads.pop() { writer.add(step) }
            })
        while let step = heads.pop() { writer.add(step) }
        #expect(!writer.isOver)
        try writer.finish().complete()
        return (harness.left, harness.right)
    }

    private func again(method: InterpolationMethod, _ head: RecordedHead, shift: Int64 = 0) -> (left: [Float], right: [Float]) {
        var harness = RenderHarness(method: method)
        harness.play(frames: 64 * Self.blocks, Self.sample)
        harness.render(
            blocks: Self.blocks,
            before: { block, inlet in
                inlet.send(quaternion: head.head(at: Int64(block * 64) + shift), receiveTime: 0)
            })
        return (harness.left, harness.right)
    }

    @Test(arguments: [(InterpolationMethod.linear, false), (.twoBand, true), (.ringSpectral, true)])
    func aSessionIsRenderedAgainSampleBySample(method: InterpolationMethod, predicts: Bool) throws {
        let first = try live(method: method, predicts: predicts)
        let text = try String(contentsOf: file, encoding: .utf8)
        let head = try RecordedHead(csv: text, name: "tape")
        let second = again(method: method, head)
        #expect(first.left.contains { abs($0) > 0.1 })
        #expect(first.left == second.left && first.right == second.right)
        // Negative control: one block later the output differs.
        #expect(again(method: method, head, shift: 64).left != first.left)
        // One line for each pose, or for each block when it is predicted.
        let rows = text.split(separator: "\n").count - 1
        #expect(predicts ? rows > 380 : rows > 170 && rows < 190)
        // The file has the tracker's own poses as well, for evaluating the prediction.
        let track = try MotionTrack(csv: text, name: "tape")
        #expect(track.moments.count > 170 && track.moments.count < 190)
        #expect(abs(Orientation.angles(track.quaternion(at: 0.3)).pitch - Float(20 * sin(2.7))) < 1.5)
    }

    @Test func nothingIsRecordedWithoutARequest() {
        var harness = RenderHarness(method: .linear)
        var heads = harness.lines.listeners[0].heads.take()
        harness.play(frames: 6400, Self.sample)
        harness.render(blocks: 20, before: { block, inlet in inlet.send(yaw: Float(block), pitch: 0, roll: 0, receiveTime: 1) })
        let none = heads.pop()
        #expect(none == nil)
    }

    @Test func aFileThatIsWrongIsRefusedByItsLine() {
        let header = RecordedHead.header + "\n"
        let good = "0,1,0,0,0,0,1,0,0,0,0,0,0\n"
        for (text, words) in [
            ("frame,w\n", "1: the header"), (header, "no head"), (header + "0,1,0,0\n", "2: expected 13 numbers"),
            (header + good + good, "3: frame 0"), (header + "0,0,0,0,0,0,1,0,0,0,0,0,0\n", "2: expected 13 numbers"),
        ] {
            do {
                _ = try RecordedHead(csv: text, name: "m")
                Issue.record("\(text) was taken")
            } catch { #expect(error.description.contains(words), "\(error.description)") }
        }
    }

    @Test func motionEndsWhenPlaybackJumpsBackwards() throws {
        let writer = try MotionWriter(MotionWriter.File(path: file.path))
        func step(_ position: Int64, _ yaw: Float) -> HeadStep {
            let q = Orientation.quaternion(yaw: yaw, pitch: 0, roll: 0)
            return HeadStep(position: position, head: q, pose: q, time: 5_000_000_000 + UInt64(position) * 1000)
        }
        // Paused at 64: the last head there counts.
        for (position, yaw) in [(Int64(0), Float(0)), (64, 10), (64, 20), (128, 30), (0, 40), (64, 50)] { writer.add(step(position, yaw)) }
        #expect(writer.isOver)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try writer.finish().complete()
        let head = try RecordedHead(csv: try String(contentsOf: file, encoding: .utf8), name: "m")
        #expect(head.head(at: 100) == Orientation.quaternion(yaw: 20, pitch: 0, roll: 0))
        #expect(head.head(at: 10_000) == Orientation.quaternion(yaw: 30, pitch: 0, roll: 0))
        #expect(throws: MotionTrack.Failure.self) { try MotionWriter.File(path: "/nowhere/at/all.csv") }
    }
}
