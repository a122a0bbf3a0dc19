import Binaural
import Engine
import Foundation
import Hub
import Media
import Parameters
import Synchronization
import TestSupport
import Testing

/// Takes of a running engine: their files, their first frame, what a slow disk costs, and requests that are refused.
@Suite struct TakeTests {
    let folder: TestFolder
    let harness: EngineHarness
    /// Closed while the disk is not to answer.
    let disk = Disk()

    /// Stands for a disk that can be made to wait. Its limit is long: the test that holds it takes a minute under a
    /// sanitizer, beside other tests.
    final class Disk: Sendable {
        private let isBlocked = Mutex(false)
        func set(blocked: Bool) { isBlocked.withLock { $0 = blocked } }
        func wait() { waitUntil("the disk answers", seconds: 600) { isBlocked.withLock { !$0 } } }
    }

    init() throws {
        folder = TestFolder()
        let disk = disk
        harness = try EngineHarness(folder, objects: 1, input: .file(try Self.pulses(folder))) {
            $0.onTakeWrite = { disk.wait() }
        }
        harness.send("/take/source/array", .bool(true))
        harness.send("/take/source/input", .string("before rack"))
        harness.send("/session/recording", .string(try folder.recording()))
        harness.send("/transport/loop", .bool(true))
        harness.send("/transport/play")
        try harness.start()
    }

    /// Three thousand pulses, one every 1009 frames, each larger by a thousandth than the one before.
    private static func pulses(_ folder: TestFolder) throws -> String {
        let frames = 3000 * 1009
        var samples = [Float](repeating: 0, count: 2 * frames)
        for pulse in 0..<frames / 1009 {
            samples[2 * pulse * 1009] = Float(pulse + 1) / 10_000
            samples[2 * pulse * 1009 + 1] = Float(pulse + 1) / 10_000
        }
        let writer = try SoundWriter(path: folder.path("pulses.wav"), channels: 2, rate: 48_000)
        try writer.write(samples, frames: frames)
        try writer.finish()
        return folder.path("pulses.wav")
    }

    private var takes: String { folder.path("data/takes") }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: takes).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Begins a take while no block is rendered.
    /// - Returns: its name.
    private func begin() throws -> String {
        harness.send("/take/start")
        wait("the take begins") { harness.text("/take/current") != "" }
        let name = harness.text("/take/current")
        return try #require(name.isEmpty ? nil : name, "\(harness.notices)")
    }

    /// Waits while no block is rendered.
    private func wait(_ what: String, _ condition: () -> Bool) {
        waitUntil("\(what); notices: \(harness.notices)") {
            harness.tick()
            return condition()
        }
    }

    /// Records a take for a number of blocks.
    /// - Returns: its folder.
    private func record(blocks: Int) throws -> String {
        let name = try begin()
        harness.pull(blocks)
        harness.send("/take/stop")
        harness.until("the take is complete") { harness.text("/take/current") == "" }
        return takes + "/" + name
    }

    private func read(_ path: String) throws -> [[Float]] { try FloatWave.read(path) }

    private func describe(_ take: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: take + "/take.json"))) as? [String: Any])
    }

    /// Places and heights of the pulses in one channel of a file.
    private func pulses(_ path: String) throws -> [Int: Float] {
        let samples = try read(path)
        return Dictionary(uniqueKeysWithValues: samples.indices.filter { samples[$0][0] != 0 }.map { ($0, samples[$0][0]) })
    }

    /// A source that is chosen just before the start: the take begins with its first block.
    @Test func aSourceThatIsChosenAtTheStartIsNotSilent() throws {
        harness.send("/take/source/array", .bool(false))
        harness.pull(1500)
        harness.until("more than a second of every source is in memory") { harness.number("/take/kept") > 0.5 }
        harness.send("/take/source/array", .bool(true))
        harness.send("/take/start")
        harness.until("the take begins") { harness.text("/take/current") != "" }
        let take = takes + "/" + harness.text("/take/current")
        harness.pull(500)
        harness.send("/take/stop")
        harness.until("the take is complete") { harness.text("/take/current") == "" }
        let (array, ears) = (try read(take + "/array.wav"), try read(take + "/ears-1.wav"))
        #expect(array.count == ears.count && array.count > 300 * 64)
        // The tone is silent at every 32nd frame.
        let first = try #require(array.firstIndex { $0.contains { abs($0) > 0.01 } })
        #expect(first < 4)
        let files = try #require(try describe(take)["files"] as? [[String: Any]])
        #expect(files.allSatisfy { ($0["gaps"] as? [Any] ?? []).isEmpty })
    }

    @Test func allFilesBeginOnTheSameFrame() throws {
        harness.pull(1500)
        // The recording is silent where the live input is heard alone.
        harness.send("/listener/1/method", .string("fixed"))
        harness.pull(1200)
        // Sources are armed by a thread that may be late on a busy machine.
        harness.until("more than a second of every source is in memory") { harness.number("/take/kept") > 1.5 }
        let take = try record(blocks: 1500)
        let (input, ears, array) = (
            try read(take + "/input.wav"), try read(take + "/ears-1.wav"), try read(take + "/array.wav")
        )
        #expect(input.count == ears.count && ears.count == array.count && array.count > 48_000)
        let facts = try describe(take)
        #expect(facts["frames"] as? Int == input.count)
        // Without racks and limiter the ears are the input and one microphone: without the input, the tone of 64 frames remains.
        let rest = zip(ears, input).map { $0[0] - $1[0] }
        let microphone = try #require(
            (0..<8).min { one, other in
                func error(_ channel: Int) -> Float { zip(rest, array).reduce(0) { $0 + abs($1.0 - $1.1[channel]) } }
                return error(one) < error(other)
            })
        let worst = zip(rest, array).dropFirst(4800).map { abs($0 - $1[microphone]) }.max() ?? 1
        #expect(worst < 1e-5, "microphone \(microphone); \(facts)")
        #expect(try pulses(take + "/input.wav").count > 40)
    }

    @Test func takesBeginWithAPartitionOfTheFilters() throws {
        harness.pull(1500)
        harness.until("more than a second of every source is in memory") { harness.number("/take/kept") > 1 }
        let samples = try (1...4).map { count in
            harness.pull(2 * count + 1)
            return try #require(try describe(try record(blocks: 20))["sample"] as? Int)
        }
        #expect(Set(samples).count == 4)
        let part = HRTFFrame(rate: 48_000).part
        #expect(samples.allSatisfy { $0 % part == 0 && $0 % 64 == 0 }, "\(samples)")
    }

    @Test func preRollIsTheBeginning() throws {
        harness.send("/take/use-pre-roll", .bool(true))
        harness.send("/take/pre-roll", .float(3))
        harness.until("three seconds are in memory") { harness.number("/take/kept") > 3 }
        harness.until("nothing older is") { harness.number("/take/kept") < 3.2 }
        let take = try record(blocks: 75)
        let facts = try describe(take)
        let start = try #require(facts["start"] as? Int)
        #expect((4 * 48_000 - 2000...4 * 48_000).contains(start), "three seconds, and the second of every take: \(start)")
        let heights = try pulses(take + "/input.wav").sorted { $0.key < $1.key }
        for (one, next) in zip(heights, heights.dropFirst()) {
            #expect(next.key - one.key == 1009 && abs(next.value - one.value - 1e-4) < 1e-6)
        }
        #expect(heights.count >= 4 * 48_000 / 1009)
    }

    @Test func aDiskThatDoesNotAnswerLeavesAMarkedGap() throws {
        harness.send("/take/pre-roll", .float(0))
        harness.send("/take/source/array", .bool(false))
        harness.pull(1000)
        let take = takes + "/" + (try begin())
        disk.set(blocked: true)
        // Memory for 21.8 s; blocks are rendered as if nothing were wrong.
        harness.pull(25 * 750)
        disk.set(blocked: false)
        // Blocks that came faster than the memory is emptied would leave further gaps.
        wait("the sound kept in memory is written") { harness.number("/take/duration") > 21 }
        harness.until("the gap has been written") { harness.number("/take/lost") > 0 }
        harness.pull(750)
        harness.send("/take/stop")
        harness.until("the take is complete") { harness.text("/take/current") == "" }
        let facts = try describe(take)
        let file = try #require((facts["files"] as? [[String: Any]])?.last)
        let gaps = try #require(file["gaps"] as? [[String: Int]])
        #expect(gaps.count == 1)
        let (begin, length) = (gaps[0]["frame"] ?? 0, gaps[0]["frames"] ?? 0)
        #expect(begin > 20 * 48_000 && length > 48_000, "\(gaps)")
        // Every pulse outside of the gap is where it belongs, after the gap as well.
        let heights = try pulses(take + "/input.wav").sorted { $0.key < $1.key }
        let first = try #require(heights.first)
        for (place, height) in heights {
            let number = (place - first.key) / 1009
            #expect((place - first.key) % 1009 == 0 && abs(height - first.value - Float(number) * 1e-4) < 1e-5)
        }
        #expect(heights.contains { $0.key > begin + length } && !heights.contains { $0.key >= begin && $0.key < begin + length })
        #expect(try read(take + "/ears-1.wav").count == read(take + "/input.wav").count)
    }

    @Test(arguments: ["../evil", "a/b", "a\\b", ".hidden", " begins", "ends ", "line\nbreak", String(repeating: "n", count: 101)])
    func namesThatAreNoNamesAreRefused(_ name: String) throws {
        let reply = harness.send("/take/name", .string(name))
        #expect(reply.text?.contains("is not a valid name of a take") == true, "\(reply)")
        #expect(harness.text("/take/name") == "")
    }

    @Test func aSecondTakeOfTheSameNameGetsANumber() throws {
        harness.send("/take/name", .string("evening"))
        harness.pull(100)
        var before: Set<String> = []
        for _ in 0..<3 {
            let take = try record(blocks: 30)
            #expect(take.contains("-evening") && before.insert(take).inserted)
        }
        #expect(try names().count == 3)
    }

    @Test func aListenerThatDoesNotExistIsRefused() throws {
        let reply = harness.send("/take/source/ears", .string("1,7"))
        #expect(reply.text?.contains("there is no listener \"7\"; give numbers (1), wired, network, all, or nothing") == true, "\(reply)")
        #expect(harness.text("/take/source/ears") == "1")
    }

    @Test func withoutSourcesThereIsNothingToRecord() throws {
        harness.send("/take/source/ears", .string(""))
        harness.send("/take/source/array", .bool(false))
        harness.send("/take/source/input", .string("none"))
        let reply = harness.send("/take/start")
        #expect(reply.text?.contains("there is nothing to record") == true, "\(reply)")
        #expect(harness.send("/take/stop").text?.contains("no take is being recorded") == true)
    }

    @Test func deletedTakesGoToTheTrash() throws {
        harness.pull(100)
        let take = URL(filePath: try record(blocks: 30)).lastPathComponent
        #expect(harness.send("/take/delete", .string("no such take")).text?.contains("there is no take") == true)
        harness.send("/take/delete", .string(take))
        #expect(try names().isEmpty)
        #expect(FileManager.default.fileExists(atPath: "\(takes)/.trash/\(take)/ears-1.wav"))
    }

    @Test func motionOfHeadsAndObjectsIsBesideTheSound() throws {
        harness.pull(800)
        let take = takes + "/" + (try begin())
        for step in 1...20 {
            harness.send("/listener/1/ypr", .float(Float(step)), .float(0), .float(0), after: 0.01)
            harness.send("/object/1/azimuth", .float(Float(2 * step)), after: 0.01)
            harness.pull(10)
        }
        harness.send("/take/stop")
        harness.until("the take is complete") { harness.text("/take/current") == "" }
        func rows(_ name: String) throws -> [[Double]] {
            try String(contentsOfFile: take + "/" + name, encoding: .utf8).split(separator: "\n").dropFirst().map {
                $0.split(separator: ",").map { Double($0) ?? .nan }
            }
        }
        let heads = try rows("motion.csv")
        #expect(heads.first?[0] == 0 && heads.count >= 20, "\(heads)")
        #expect(zip(heads, heads.dropFirst()).allSatisfy { $0[0] < $1[0] && Int($1[0]) % 64 == 0 })
        let objects = try rows("objects.csv")
        #expect(objects.first?[0] == 0 && objects.suffix(3).map { $0[2] } == [36, 38, 40], "\(objects)")
    }
}
