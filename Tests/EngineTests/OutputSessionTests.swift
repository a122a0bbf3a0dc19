import Device
import Engine
import Foundation
import Hub
import Parameters
import Testing

/// The device channels of listeners in sessions.
@Suite struct OutputSessionTests {
    let folder: TestFolder

    init() { folder = TestFolder() }

    /// - Parameter pairs: of the command line, by listener, counted from 0.
    func engine(channels: Int = 16, listeners: Int = 3, _ pairs: [Int: ChannelPair] = [:]) throws -> EngineHarness {
        let routes = try OutputRoutes(listeners: listeners, pairs)
        let harness = try EngineHarness(folder, channels: channels) {
            $0.listeners = listeners
            $0.outputs = routes
        }
        try harness.start()
        return harness
    }

    func outputs(_ harness: EngineHarness) -> [String] { (1...3).map { harness.text("/listener/\($0)/output") } }

    func set(_ harness: EngineHarness, _ texts: [String]) {
        for listener in 1...3 { harness.send("/listener/\(listener)/output", .string("")) }
        for (index, text) in texts.enumerated() { #expect(harness.send("/listener/\(index + 1)/output", .string(text)) == .done) }
    }

    func write(_ name: String, _ parameters: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path("sessions"), withIntermediateDirectories: true)
        try #"{"version": 2, "parameters": {\#(parameters)}}"#
            .write(toFile: folder.path("sessions/\(name).json"), atomically: true, encoding: .utf8)
    }

    @Test func aSessionRestoresThem() throws {
        let harness = try engine()
        set(harness, ["3,4", "1,2", "16,9"])
        harness.send("/session/save-as", .string("three"))
        set(harness, ["1,2", "3,4", "5,6"])
        #expect(harness.send("/session/load", .string("three")) == .done)
        #expect(outputs(harness) == ["3,4", "1,2", "16,9"] && harness.number("/session/changed") == 0)
        // Two listeners that exchange channels in one step do so back and forth.
        harness.send("/session/undo")
        #expect(outputs(harness) == ["1,2", "3,4", "5,6"])
        harness.send("/session/redo")
        #expect(outputs(harness) == ["3,4", "1,2", "16,9"])
        #expect(!harness.notices.contains { $0.contains("not free") })
    }

    @Test func aListenerThatIsPlayedNowhereStaysSo() throws {
        let harness = try engine()
        set(harness, ["", "1,2", ""])
        harness.send("/session/save-as", .string("second only"))
        set(harness, ["1,2", "3,4", "5,6"])
        harness.send("/session/load", .string("second only"))
        #expect(outputs(harness) == ["", "1,2", ""])
    }

    @Test func aSessionThatSaysNothingLeavesThem() throws {
        let harness = try engine([1: ChannelPair("3,4")])
        try write("older", #""/listener/1/gain": -3"#)
        #expect(harness.send("/session/load", .string("older")) == .done)
        #expect(outputs(harness) == ["1,2", "3,4", ""] && harness.number("/listener/1/gain") == -3)
        harness.send("/session/compare", .string("older"))
        #expect(harness.text("/session/difference") == "older")
    }

    @Test func aDeviceWithFewerChannelsReportsWhatCannotBeRestored() throws {
        let harness = try engine()
        set(harness, ["1,2", "15,16", "3,4"])
        harness.send("/session/save-as", .string("sixteen"))
        harness.stop()
        let small = try engine(channels: 4)
        #expect(small.send("/session/load", .string("sixteen")) == .done)
        #expect(outputs(small) == ["1,2", "", "3,4"])
        #expect(small.notices.contains { $0.contains("/listener/2/output: Channels 15,16 do not exist: the device has 4.") })
        // It stays in the file, for the device that has them.
        small.send("/listener/1/gain", .float(-6))
        #expect(small.send("/session/save") == .done)
        small.stop()
        let large = try engine()
        large.send("/session/load", .string("sixteen"))
        #expect(outputs(large) == ["1,2", "15,16", "3,4"] && large.number("/listener/1/gain") == -6)
    }

    @Test func theFirstListenersChannelsStayInTheFileToo() throws {
        try write("far", #""/listener/1/output": "9,10""#)
        let small = try engine(channels: 4)
        small.send("/session/load", .string("far"))
        #expect(outputs(small) == ["", "", ""])
        #expect(small.send("/session/save") == .done)
        small.stop()
        let large = try engine()
        large.send("/session/load", .string("far"))
        #expect(outputs(large) == ["9,10", "", ""])
    }

    @Test func theCommandLineComesFirst() throws {
        try write("three", #""/listener/1/output": "3,4", "/listener/2/output": "5,6", "/listener/3/output": "1,2""#)
        let pairs = [1: try ChannelPair("3,4")]
        let harness = try engine(pairs)
        harness.send("/session/load", .string("three"))
        harness.engine.play(pairs)
        #expect(outputs(harness) == ["", "3,4", "1,2"])
        #expect(harness.notices.contains { $0.contains("listener 1 is no longer played on 3,4: --output plays listener 2 there") })
    }

    @Test(arguments: ["1,1", "0,1", "one,two", "1,2,3", "200,201"])
    func wrongChannelsInAFileAreReported(_ text: String) throws {
        try write("wrong", #""/listener/1/output": "1,2", "/listener/2/output": "\#(text)""#)
        let harness = try engine()
        harness.send("/session/load", .string("wrong"))
        #expect(outputs(harness) == ["1,2", "", ""])
        #expect(harness.notices.contains { $0.contains("/listener/2/output: \"\(text)\" is not a pair of channels") })
    }
}
