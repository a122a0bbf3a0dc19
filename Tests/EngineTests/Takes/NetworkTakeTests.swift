import Crossing
import Engine
import Foundation
import Hub
import Media
import Parameters
import Render
import RenderInterface
import TestSupport
import Testing

/// Listeners on the network in takes: same first frame, same sound as a listener of the device with the same head, gaps where there
/// was none.
@Suite struct NetworkTakeTests {
    let folder: TestFolder
    let harness: EngineHarness

    init() throws {
        folder = TestFolder()
        harness = try EngineHarness(folder) {
            $0.networkListeners = 4
            $0.workers = 2
        }
        harness.send("/session/recording", .string(try folder.recording()))
        harness.send("/transport/play")
        try harness.start()
        for name in ["Anna", "Berta"] { harness.send("/listener/add", .string(name)) }
        for number in 1...3 { harness.send("/listener/\(number)/method", .string("nearest")) }
    }

    /// Pulls blocks, none faster than the workers can follow.
    private func pull(_ blocks: Int, listeners: Set<Int> = [2, 3]) {
        for _ in 0..<blocks / 10 {
            harness.pull(10)
            let sample = Int(harness.engine.telemetry.state.samples)
            waitUntil("the workers have followed", every: 0.5) {
                listeners.allSatisfy { harness.engine.lines.network.positions[$0 - 1] >= sample }
            }
        }
    }

    private func wait(_ what: String, _ condition: () -> Bool) {
        waitUntil("\(what); notices: \(harness.notices)") {
            harness.tick()
            return condition()
        }
    }

    private func begin() throws -> String {
        harness.send("/take/start")
        wait("the take begins") { harness.text("/take/current") != "" }
        let name = harness.text("/take/current")
        return folder.path("data/takes") + "/" + (try #require(name.isEmpty ? nil : name, "\(harness.notices)"))
    }

    private func end() {
        harness.send("/take/stop")
        wait("the take ends") { harness.text("/take/current") == "" }
    }

    private func sound(_ take: String, _ listener: Int) throws -> [Float] {
        try FloatWave.read(take + "/ears-\(listener).wav").flatMap { $0 }
    }

    private func describe(_ take: String) throws -> TakeRecord { try TakeRecord.read(take) }

    @Test func theirFilesBeginAndEndWithTheOthers() throws {
        harness.send("/take/source/ears", .string("all"))
        harness.tick()
        pull(1000)
        let take = try begin()
        for turn in 0..<40 {
            for number in 1...3 { harness.send("/listener/\(number)/ypr", .float(Float(9 * turn)), .float(0), .float(0), after: 0.01) }
            pull(20)
        }
        end()
        let record = try describe(take)
        #expect(record.files.map(\.file) == ["ears-1.wav", "ears-2.wav", "ears-3.wav"])
        #expect(record.files.allSatisfy { $0.gaps.isEmpty } && record.lost == 0, "\(record.files)")
        let ears = try (1...3).map { try sound(take, $0) }
        #expect(ears[0].count > 2 * 48_000 && Set(ears.map(\.count)).count == 1, "\(ears.map(\.count))")
        #expect(Int64(ears[0].count / 2) == record.frames)
        // Heads that were set between two blocks turn in different hops; before that all are the same to the bit.
        let start = Int(record.start) * 2
        #expect(ears[0][..<start].contains { abs($0) > 0.01 })
        for number in 1...2 { #expect(ears[number][..<start] == ears[0][..<start]) }
        for number in [2, 3] {
            let motion = try String(contentsOfFile: take + "/motion-\(number).csv", encoding: .utf8)
            #expect(motion.split(separator: "\n").count > 20, "\(motion)")
        }
        #expect(TakeCheck(take).faults.isEmpty, "\(TakeCheck(take).faults)")
    }

    @Test func aListenerThatIsRemovedLeavesAMarkedGap() throws {
        harness.send("/take/source/ears", .string("1, network"))
        harness.tick()
        pull(800)
        let take = try begin()
        pull(400)
        harness.send("/listener/remove", .int(3))
        pull(400, listeners: [2])
        end()
        let record = try describe(take)
        let gaps = record.files.map(\.gaps)
        #expect(gaps[0].isEmpty && gaps[1].isEmpty && gaps[2].count == 1, "\(gaps)")
        let gap = try #require(gaps[2].first)
        #expect(gap.frame + gap.frames == record.frames && gap.frames >= 390 * 64 && gap.frames <= 410 * 64, "\(gap)")
        let ears = try sound(take, 3)
        #expect(!ears[(2 * Int(gap.frame))...].contains { $0 != 0 } && ears.count == Int(record.frames ?? 0) * 2)
    }

    @Test func aListenerIsChosenByItsNumberUntilItIsRemoved() throws {
        #expect(harness.send("/take/source/ears", .string("1,3")) == .done)
        #expect(
            harness.send("/take/source/ears", .string("4")).text?
                .contains("there is no listener \"4\"; give numbers (1, and 2, 3 on the network), wired, network, all, or nothing") == true)
        harness.send("/listener/remove", .int(3))
        #expect(harness.text("/take/source/ears") == "1")
        // The next one with this number is somebody else.
        harness.send("/listener/add", .string("Carl"))
        #expect(harness.text("/take/source/ears") == "1" && harness.text("/listener/3/name") == "Carl")
    }
}
