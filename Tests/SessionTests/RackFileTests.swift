import Foundation
import Parameters
import Rack
import Session
import Testing

@Suite struct RackFileTests {
    static let presets = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "presets")

    @Test func everyPresetIsAccepted() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.presets.path).filter { $0.hasSuffix(".json") }
        #expect(files.count >= 12)
        for file in files {
            let rack = try RackFile.read(Self.presets.appending(path: file).path)
            #expect(!rack.slots.isEmpty, "\(file)")
        }
    }

    /// Clients may send the text of a file that an editor on Windows has written.
    @Test func aByteOrderMarkIsIgnored() throws {
        let text = #"{"version": 2, "slots": [{"effect": "tremolo"}]}"#
        #expect(try RackFile.parse("\u{FEFF}" + text, path: "a.json").slots.count == 1)
        #expect(throws: SessionError.self) { try RackFile.parse("\u{FEFF}\u{FEFF}" + text, path: "a.json") }
    }

    @Test func readsWhatIsWritten() throws {
        let rack = try RackFile.parse(
            """
            {"version": 2, "slots": [
              {"effect": "delay", "bypass": true, "mix": 0.5,
               "parameters": {"time": 250, "sync": "1/4 dotted", "ping-pong": true}},
              {"branches": [[], [{"effect": "overdrive", "parameters": {"curve": "fold"}}]], "mix": [1, 0.25]},
              {"effect": "convolution", "parameters": {"response": "rooms/hall.wav"}}]}
            """, path: "/racks/a.json")
        guard case .slot(let delay) = rack.places[0], case .branches(let branches, let mix) = rack.places[1] else {
            Issue.record("the places differ")
            return
        }
        #expect(delay.bypass && delay.mix == 0.5)
        #expect(delay.values == [250, 6, 0, 0.35, 6000, 1])
        #expect(mix == [1, 0.25] && branches[0].isEmpty && branches[1][0].values[1] == 3)
        #expect(rack.slots[2].texts == ["response": "/racks/rooms/hall.wav"])
    }

    /// The former name of a parameter is read, the current one wins, and only that one is written.
    @Test func formerNamesAreRead() throws {
        func rack(_ parameters: String) throws -> RackDescription {
            let slot = "{\"effect\": \"flanger\", \"parameters\": {\(parameters)}}"
            return try RackFile.parse("{\"version\": 2, \"slots\": [\(slot)]}", path: "/racks/a.json")
        }
        let former = try rack("\"reach\": 7")
        #expect(former.slots[0].values[1] == 7 && former.slots[0].unknownParameters.isEmpty)
        #expect(try rack("\"reach\": 7, \"depth\": 2").slots[0].values[1] == 2)
        #expect(throws: SessionError.self) { try rack("\"reach\": 70") }
    }

    /// Rack files hold one side; its bypass and the other side belong to sessions.
    @Test(arguments: ["\"bypass\": true", "\"side\": \"B\"", "\"other\": []"])
    func rackFilesHaveNoState(_ field: String) {
        #expect(throws: SessionError.self) { try RackFile.parse("{\"version\": 2, \"slots\": [], \(field)}", path: "/racks/a.json") }
    }

    @Test(arguments: [
        ("{\"version\": 1, \"slots\": [\n{\"effect\": \"dealy\"}]}", 2, "effect", "no such effect"),
        ("{\"version\": 1, \"slots\": [\n{\"effect\": \"delay\", \"parameters\": {\n\"tiem\": 3}}]}", 3, "tiem", "no such field"),
        ("{\"version\": 1, \"slots\": [{\"effect\": \"delay\",\n\"parameters\": {\"time\": 5000}}]}", 2, "time", "out of range"),
        ("{\"version\": 1, \"slots\": [{\"effect\": \"delay\",\n\"parameters\": {\"time\": \"long\"}}]}", 2, "time", "takes"),
        ("{\"version\": 3,\n \"slots\": []}", 1, "version", "versions 1 to 2"),
        ("{\"version\": 2, \"slots\": [{\"effect\": \"reverb\",\n\"parameters\": {\"mix\": 0.5}}]}", 2, "mix", "no such field"),
        ("{\"version\": 1, \"slots\": [{\"effect\": \"reverb\",\n\"parameters\": {\"mix\": 2}}]}", 2, "mix", "not a number in range"),
        ("{\"version\": 1, \"slots\": [{\"effect\": \"gate\",\n\"parameters\": {\"mix\": 1}}]}", 2, "mix", "no such field"),
        ("{\"version\": 1}", 1, "slots", "missing"),
        ("{\"version\": 1, \"slots\": [{\"effect\": \"delay\", \"mix\": 3}]}", 1, "mix", "not a number in range"),
        ("{\"version\": 1, \"slots\": [\n\n{\"branches\": [[]], \"mix\": [1, 2]}]}", 3, "mix", "2 numbers for 1"),
        ("{\"version\": 1, \"slots\": [{\"effect\": \"overdrive\", \"parameters\": {\"curve\": \"bent\"}}]}", 1, "curve", "no choice"),
    ])
    func errorsNameTheLine(_ text: String, _ line: Int, _ field: String, _ reason: String) {
        do {
            _ = try RackFile.parse(text, path: "bad.json")
            Issue.record("it was accepted")
        } catch {
            #expect(error.line == line && error.field == field)
            #expect(error.description.contains(reason), "\(error)")
            #expect(error.description.hasPrefix("rack bad.json:\(line): "))
        }
    }

    @Test(arguments: ["", "{", "{\"a\" 1}", "[1, 2", "{\"a\": tru}", "{\"a\": \"b", "{\"version\": 1, \"slots\": []} x", "{\"a\": 1e999}"])
    func invalidJSONIsRefused(_ text: String) {
        #expect(throws: SessionError.self) { try RackFile.parse(text, path: "bad.json") }
    }

    @Test func tooManyAreRefused() {
        let slots = [String](repeating: "{\"effect\": \"tremolo\"}", count: 17).joined(separator: ",")
        #expect(throws: SessionError.self) { try RackFile.parse("{\"version\": 1, \"slots\": [\(slots)]}", path: "bad.json") }
    }
}
