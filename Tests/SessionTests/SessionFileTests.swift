import Effects
import Foundation
import Parameters
import Rack
import Session
import TestSupport
import Testing

@Suite struct SessionFileTests {
    let tree = ParameterTree(listeners: 2, methods: ["nearest", "linear", "two-band"])
    private let temporary = TemporaryFolder()
    var folder: URL { temporary.url }

    func path(_ text: String) throws -> String {
        let file = folder.appending(path: "s-\(UUID()).json")
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    func refusal(_ text: String) throws -> SessionError? {
        let file = try path(text)
        do {
            _ = try SessionFile.read(file, tree)
            return nil
        } catch { return error }
    }

    @Test func onlyChangedValuesAreWrittenAndRestored() throws {
        var values = tree.nodes.map(\.spec.initial)
        values[tree.index(ListenerParameter.gain, 1)] = .number(-4.5)
        values[tree.index(ListenerParameter.method)] = .number(0)
        values[tree.index(ListenerParameter.ypr)] = .vector([30, 0, -5])
        values[tree.index(TransportParameter.loop)] = .number(0)
        values[tree.index(EngineParameter.load)] = .number(0.5)  // Reported, not set.
        let session = SessionFile(recording: "/music/scene.wav", snapshot: Snapshot(tree) { values[$0] })
        #expect(
            session.snapshot.parameters == [
                "/listener/2/gain": [.float(-4.5)], "/listener/1/method": [.string("nearest")],
                "/transport/loop": [.bool(false)],
                // Always written: it shows that the session says where listeners are played.
                "/listener/1/output": [.string("")],
            ])
        let file = folder.appending(path: "out.json").path
        try session.write(file)
        #expect(try SessionFile.read(file, tree) == session)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.json"])
    }

    /// A session may use a parameter's former name, and is written with the current one.
    @Test func formerNamesAreMigrated() throws {
        let tree = ParameterTree(listeners: 1, trackers: 2, methods: ["nearest"])
        let file = try path(#"{"version": 2, "parameters": {"/tracker/1/glide": 5, "/tracker/2/glide": 6, "/tracker/2/return-time": 7}}"#)
        let session = try SessionFile.read(file, tree)
        #expect(session.snapshot.parameters == ["/tracker/1/return-time": [.float(5)], "/tracker/2/return-time": [.float(7)]])
        #expect(session.snapshot.unknown.isEmpty)
    }

    /// So are former names of a choice.
    @Test func formerChoicesAreMigrated() throws {
        let tree = ParameterTree(ofAnySession: ["nearest", "hrtf"], formerMethods: ["personal": "hrtf"])
        let file = try path(#"{"version": 2, "parameters": {"/listener/1/method": "personal", "/listener/2/method": "nearest"}}"#)
        let session = try SessionFile.read(file, tree)
        #expect(
            session.snapshot.parameters == ["/listener/1/method": [.string("hrtf")], "/listener/2/method": [.string("nearest")]]
                && session.snapshot.unknown.isEmpty)
        let copy = folder.appending(path: "copy.json").path
        try session.write(copy)
        let text = try String(contentsOfFile: copy, encoding: .utf8)
        #expect(!text.contains("personal"))
    }

    /// Reading 40 MB took eight seconds and 1.5 GB.
    @Test func onlyFilesOfReasonableSizeAreRead() throws {
        let huge = try refusal("{\"version\": 2, \"parameters\": {" + String(repeating: " ", count: 8 << 20) + "}}")
        #expect(huge?.reason.contains("at most \(8 << 20)") == true)
        let values = try refusal("{\"version\": 2, \"other\": [" + String(repeating: "0,", count: 1_000_000) + "0]}")
        #expect(values?.reason.contains("more than 1000000 values") == true)
        let unknown = (0...1000).map { "\"/a/\($0)\": 0" }.joined(separator: ",")
        #expect(try refusal("{\"version\": 2, \"parameters\": {\(unknown)}}")?.reason.contains("unknown addresses") == true)
        let scenes = (0...200).map { "{\"name\": \"\($0)\"}" }.joined(separator: ",")
        #expect(try refusal("{\"version\": 2, \"scenes\": [\(scenes)]}")?.reason == "there are 201 scenes")
    }

    /// Opening a FIFO without a writer would wait for ever.
    @Test(.timeLimit(.minutes(1))) func noWriterIsWaitedFor() throws {
        let fifo = folder.appending(path: "fifo.json").path
        #expect(mkfifo(fifo, 0o600) == 0)
        for read in [{ _ = try SessionFile.read(fifo, self.tree) }, { _ = try RackFile.read(fifo) }] {
            let error = #expect(throws: SessionError.self) { try read() }
            #expect(error?.reason.contains("FIFO") == true)
        }
    }

    @Test(arguments: [
        (#"{"version": 1, "slots": [{"effect": "delay"}], "title": "Dub"}"#, "this is a rack, not a session"),
        (#"{"version": 1, "array": {"count": 8}, "rate": 48000}"#, "this is the description of a recording, not a session"),
        (#"{"version": 2, "colour": "blue"}"#, "this is not a session"),
    ])
    func filesOfOtherKindsAreRefused(text: String, reason: String) throws {
        #expect(try refusal(text)?.reason.hasPrefix(reason) == true)
        // Unknown fields beside a session's own are kept.
        #expect(try refusal(#"{"version": 2, "colour": "blue", "scenes": []}"#) == nil && refusal(#"{"version": 2}"#) == nil)
    }

    @Test func aWrongFileIsRefusedWithLineFieldReasonAndRemedy() throws {
        let range = try refusal(
            """
            {
              "version": 1,
              "parameters": {
                "/listener/1/gain": -3,
                "/listener/1/method": "best"
              }
            }
            """)
        #expect(range?.line == 5)
        #expect(range?.field == "/listener/1/method")
        #expect(
            range?.description.hasSuffix(
                "\"/listener/1/method\": /listener/1/method has no choice \"best\"; it has nearest, linear, two-band; "
                    + "write one of nearest, linear, two-band") == true)
        let large = try refusal(#"{"version": 2, "parameters": {"/listener/1/gain": 1e300}}"#)
        #expect(large?.reason == "/listener/1/gain takes 32-bit floats, up to 3.4e38; 1e+300 is too large and was ignored")
        #expect(try refusal(#"{"version": 7}"#)?.reason == "7 was written by a newer version of the program")
        for version in ["0", "-1", "1.5", "\"1\"", "1e300", "null"] {
            #expect(try refusal("{\"version\": \(version)}")?.field == "version")
        }
        #expect(try refusal(#"{"recording": "x.wav"}"#)?.reason == "the field is missing")
        #expect(try refusal(#"{"version": 1, "recording": 5}"#)?.field == "recording")
        #expect(try refusal(#"{"version": 1, "parameters": {"/transport/loop": {}}}"#)?.field == "/transport/loop")
        #expect(try refusal(#"{"version": 1, "parameters": {"/engine/load": 1}}"#)?.reason == "/engine/load can only be read")
        let syntax = try refusal("{\n  \"version\": 1,\n  oops\n}")
        #expect(syntax?.line == 3, "\(String(describing: syntax))")
        #expect(throws: SessionError.self) { try SessionFile.read("/nowhere/at/all.json", tree) }
    }

    @Test func anUnknownAddressIsKept() throws {
        let file = try path(#"{"version": 1, "parameters": {"/later/thing": [1, "x", true]}}"#)
        let session = try SessionFile.read(file, tree)
        #expect(session.snapshot.unknown == ["/later/thing": .array([.number(1), .text("x"), .bool(true)])])
        let out = folder.appending(path: "again.json").path
        try session.write(out)
        #expect(try SessionFile.read(out, tree) == session)
    }

    /// A file of a later program with the same version: unknown fields, addresses and scene fields are preserved.
    @Test func unknownFieldsSurviveARoundTrip() throws {
        let text = #"""
            {"version": 2, "later": {"deep": [1, null, {"a": "\ud83c\udfa7 \u00e4"}], "large": 9007199254740991, "small": 1.5e-7},
             "parameters": {"/listener/1/gain": -3, "/later/thing": {"any": ["shape", false]}},
             "racks": {"recording": {"version": 2, "colour": "blue", "slots": [
               {"effect": "delay", "slot": 2, "sidechain": {"from": 3}, "parameters": {"time": 250, "shimmer": [0.5, true]}},
               {"branches": [[{"effect": "gate", "slot": 1, "later": null}], []], "mix": [1, 0.5]}]}},
             "scenes": [{"name": "one", "colour": "red", "parameters": {"/later/thing": 5, "/listener/1/gain": 1.1}}]}
            """#
        let session = try SessionFile.read(try path(text), tree)
        let out = folder.appending(path: "again.json").path
        try session.write(out)
        let (before, after) = (
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary,
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: out))) as? NSDictionary
        )
        #expect(before != nil && before == after, "\(String(describing: before)) \(String(describing: after))")
        // Current values are written instead of those read.
        var changed = session
        changed.snapshot.parameters["/listener/1/gain"] = [.float(-6)]
        try changed.write(out)
        #expect(try SessionFile.read(out, tree).unknown == session.unknown)
    }

    /// A comparison reports unknown fields as well. A rack's file, which is written by hand, is refused as before.
    @Test func unknownFieldsOfARackAreReported() throws {
        let text = #"{"version": 2, "slots": [{"effect": "delay", "slot": 1, "sidechain": 3, "parameters": {"shimmer": 1}}]}"#
        let new = try SessionFile.read(try path("{\"version\": 2, \"racks\": {\"input\": \(text)}}"), tree)
        var old = new
        old.snapshot.racks["input"]?.places = [.slot(.init(.delay))]
        #expect(
            SessionDifference.lines(from: old.snapshot, to: new.snapshot, tree) == [
                "sidechain, rack input slot 1: changed; not known to this version",
                "shimmer, rack input slot 1 delay: changed; not known to this version",
            ])
        #expect(throws: SessionError.self) { try RackFile.parse(text, path: "rack.json") }
        // A field beside branches cannot be preserved, so it is reported.
        let branches = #"{"version": 1, "slots": [{"branches": [[]], "mode": "sum"}]}"#
        #expect(try refusal("{\"version\": 2, \"racks\": {\"input\": \(branches)}}")?.field == "mode")
        #expect(
            try refusal(#"{"version": 2, "racks": {"input": {"version": 1, "slots": [], "a": 1, "a": 2}}}"#)?.reason
                == "the field occurs twice")
    }

    @Test func scenesSurviveARoundTrip() throws {
        var session = SessionFile(recording: nil, snapshot: Snapshot(parameters: ["/listener/1/gain": [.float(-3)]]))
        session.scenes = ["b", "a"].map { Scene(name: $0, snapshot: Snapshot(parameters: ["/listener/2/mute": [.bool(true)]])) }
        let file = folder.appending(path: "scenes.json").path
        try session.write(file)
        #expect(try SessionFile.read(file, tree) == session)
        #expect(try refusal(#"{"version": 2, "scenes": [{"parameters": {}}]}"#)?.field == "name")
        #expect(try refusal(#"{"version": 2, "scenes": [{"name": "x"}, {"name": "x"}]}"#)?.field == "name")
        #expect(try refusal(#"{"version": 2, "scenes": {}}"#)?.field == "scenes")
        #expect(
            try refusal("{\"version\": 2,\n\"scenes\": [{\"name\": \"x\",\n\"parameters\": {\"/listener/1/gain\": \"loud\"}}]}")?.line == 3)
    }

    /// Version 1 kept poses. Reading it does not turn heads, and poses in later files are ignored as well.
    @Test func aFileOfVersionOneIsReadWithoutItsPoses() throws {
        let parameters =
            #""parameters": {"/listener/1/ypr": [30, 0, -5], "/listener/2/quaternion": [1, 0, 0, 0], "/listener/1/gain": -3, "#
            + #""/later/1": 2}"#
        let session = try SessionFile.read(try path("{\"version\": 1, \(parameters)}"), tree)
        #expect(session.snapshot.parameters == ["/listener/1/gain": [.float(-3)]])
        #expect(session.snapshot.unknown == ["/later/1": .number(2)])
        let out = folder.appending(path: "migrated.json").path
        try session.write(out)
        #expect(try String(contentsOfFile: out, encoding: .utf8).contains("\"version\" : 2"))
        #expect(try SessionFile.read(out, tree) == session)
        #expect(try refusal("{\"version\": 2, \(parameters)}")?.reason == "sessions do not keep this parameter")
    }

    /// Files as each version wrote them, kept beside this test.
    @Test(arguments: 1...SessionFile.version) func everyVersionIsRead(_ version: Int) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Files/version-\(version).json").path
        let session = try SessionFile.read(file, tree)
        #expect(session.recording?.hasSuffix("/Files/scene.wav") == true)
        #expect(
            session.snapshot.parameters == [
                "/listener/1/gain": [.float(-4.5)], "/listener/1/method": [.string("nearest")], "/transport/loop": [.bool(false)],
                "/array/setting/gain": [.float(0), .float(-1.5), .float(2)],
            ])
        #expect(session.snapshot.racks["recording"]?.slots.map(\.kind.name) == ["delay", "reverb"])
        #expect(session.snapshot.unknown == ["/later/thing": .text("kept")])
        #expect(session.scenes.map(\.name) == (version == 1 ? [] : ["quiet"]))
    }

    @Test func aRecordingIsFoundBesideTheSession() throws {
        let file = try path(#"{"version": 1, "recording": "take/scene.wav"}"#)
        #expect(try SessionFile.read(file, tree).recording == folder.appending(path: "take/scene.wav").path)
    }

    @Test func aMissingFolderIsReported() {
        #expect(throws: SessionError.self) {
            try SessionFile(recording: nil, snapshot: Snapshot()).write("/nowhere/at/all.json")
        }
    }
}
