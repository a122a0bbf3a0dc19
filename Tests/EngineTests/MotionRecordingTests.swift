import Foundation
import Hub
import Parameters
import Pose
import Testing

/// Motion recorded by clients: its frames are places in the recording, whatever was played before.
@Suite struct MotionRecordingTests {
    let folder: TestFolder
    let harness: EngineHarness
    private var file: String { folder.path("motion.csv") }

    init() throws {
        folder = TestFolder()
        harness = try EngineHarness(folder, objects: 1)
        try harness.start()
    }

    private func frames() throws -> [Int] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").dropFirst().map {
            try #require($0.split(separator: ",").first.flatMap { Int($0) })
        }
    }

    /// Turns the head by a degree before every tenth block.
    private func turn(blocks: Int) {
        for step in 0..<blocks / 10 {
            harness.send("/listener/1/ypr", .float(Float(step % 180)), .float(0), .float(0), after: 0.01)
            harness.pull(10)
        }
    }

    private func endMotion() {
        harness.send("/session/end-motion")
        harness.until("the file is complete") { harness.text("/session/motion") == "" }
    }

    private func play() throws {
        harness.send("/session/recording", .string(try folder.recording()))
        harness.send("/transport/play")
        harness.until("the recording plays") { harness.number("/transport/position") > 0.2 }
    }

    @Test func afterASeekTheFramesArePlacesInTheRecording() throws {
        try play()
        harness.send("/transport/seek", .float(1.5))
        harness.until("the seek has been done") { (1.55...1.6).contains(harness.number("/transport/position")) }
        harness.send("/session/record-motion", .string(file))
        turn(blocks: 100)
        endMotion()
        let found = try frames()
        #expect(found.count > 8)
        #expect(found.allSatisfy { (Int(1.5 * 48_000)...2 * 48_000).contains($0) }, "\(found)")
    }

    @Test func afterALoopTheFramesArePlacesInTheRecording() throws {
        harness.send("/transport/loop", .bool(true))
        try play()
        // One and a half times the length of the recording.
        harness.pull(3 * 48_000 / 64)
        harness.send("/session/record-motion", .string(file))
        harness.until("the second lap's middle") { (0.5...1.5).contains(harness.number("/transport/position")) }
        turn(blocks: 100)
        endMotion()
        #expect(try frames().allSatisfy { (0..<2 * 48_000).contains($0) })
    }

    @Test(arguments: [true, false]) func whereTheRecordingGoesBackTheMotionEnds(loops: Bool) throws {
        harness.send("/transport/loop", .bool(true))
        try play()
        harness.send("/session/record-motion", .string(file))
        turn(blocks: 100)
        // The head rests while playback goes back.
        if !loops { harness.send("/transport/seek", .float(0)) }
        harness.until("the motion ends") { harness.text("/session/motion") == "" }
        #expect(harness.notices.contains("the motion recording ended because playback jumped back"))
        let found = try frames()
        #expect(found == found.sorted() && found.count > 8)
        #expect(harness.notices.contains("motion \(file): \(found.count) head poses written"))
    }

    @Test func withoutARecordingFramesCountFromTheFirstHead() throws {
        harness.pull(500)
        harness.send("/session/record-motion", .string(file))
        turn(blocks: 200)
        endMotion()
        let found = try frames()
        #expect(found.first == 0 && found.count >= 20)
        #expect(zip(found, found.dropFirst()).dropFirst().allSatisfy { $1 - $0 == 640 }, "\(found)")
        #expect(harness.notices.contains("motion \(file): \(found.count) head poses written"))
    }
}
