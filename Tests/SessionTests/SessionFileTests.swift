import Foundation
import Parameters
import Session
import Testing

@Suite struct SessionFileTests {
    let tree = ParameterTree(listeners: 2, methods: ["nearest", "linear", "two-band"])
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

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

    @Test func onlyWhatDiffersIsWrittenAndComesBack() throws {
        var values = tree.nodes.map(\.spec.initial)
        values[tree.slot(ListenerParameter.gain, 1)] = .number(-4.5)
        values[tree.slot(ListenerParameter.method)] = .number(0)
        values[tree.slot(ListenerParameter.ypr)] = .vector([30, 0, -5])
        values[tree.slot(TransportParameter.loop)] = .number(0)
        values[tree.slot(EngineParameter.load)] = .number(0.5)  // Reported, not set.
        let session = SessionFile(tree, recording: "/music/scene.wav") { values[$0] }
        #expect(
            session.parameters == [
                "/listener/2/gain": [.float(-4.5)], "/listener/1/method": [.string("nearest")],
                "/listener/1/ypr": [.float(30), .float(0), .float(-5)], "/transport/loop": [.bool(false)],
            ])
        let file = folder.appending(path: "out.json").path
        try session.write(file)
        #expect(try SessionFile.read(file, tree) == session)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.json"])
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
        #expect(range?.description.hasSuffix(
            "\"/listener/1/method\": /listener/1/method has no choice \"best\"; it has nearest, linear, two-band; "
                + "one of nearest, linear, two-band would be right") == true)
        #expect(try refusal(#"{"version": 7}"#)?.reason == "7 is not a version this program reads")
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
        #expect(session.unknown == ["/later/thing": [.float(1), .string("x"), .bool(true)]])
        let out = folder.appending(path: "again.json").path
        try session.write(out)
        #expect(try SessionFile.read(out, tree).unknown == session.unknown)
    }

    @Test func aRecordingIsFoundBesideTheSession() throws {
        let file = try path(#"{"version": 1, "recording": "take/scene.wav"}"#)
        #expect(try SessionFile.read(file, tree).recording == folder.appending(path: "take/scene.wav").path)
    }

    @Test func aFolderThatIsNotThereIsSaid() {
        #expect(throws: SessionError.self) {
            try SessionFile(recording: nil, parameters: [:]).write("/nowhere/at/all.json")
        }
    }
}
