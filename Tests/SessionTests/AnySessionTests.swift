import Parameters
import Session
import Testing

/// The tree that reads session files without an engine.
@Suite struct AnySessionTests {
    let tree = ParameterTree(ofAnySession: ["nearest", "linear"])

    @Test(arguments: ["/listener/64/gain", "/object/1/azimuth", "/object/64/azimuth"])
    func addressesOfTheLargestEngineAreKnown(address: String) throws {
        let session = try SessionFile.parse(#"{"version": 2, "parameters": {"\#(address)": -3}}"#, path: "a.json", tree)
        #expect(session.snapshot.unknown.isEmpty && session.snapshot.parameters[address] == [.float(-3)])
    }

    @Test func everyGroupOfSessionValuesIsCovered() {
        for address in ["/tracker/16/listener", "/object/unit-distance", "/array/setting/gain", "/scene/crossfade"] {
            #expect(tree.index(at: address) != nil, "\(address)")
        }
    }

    @Test func nonsenseInAnObjectIsRefused() throws {
        let error = #expect(throws: SessionError.self) {
            try SessionFile.parse(#"{"version": 2, "parameters": {"/object/1/azimuth": "nonsense"}}"#, path: "a.json", tree)
        }
        #expect(error?.field == "/object/1/azimuth" && error?.line == 1)
    }

    @Test func aDifferenceNamesObjects() throws {
        let old = try SessionFile.parse(#"{"version": 2}"#, path: "a.json", tree)
        let new = try SessionFile.parse(#"{"version": 2, "parameters": {"/object/9/azimuth": 30}}"#, path: "b.json", tree)
        let lines = SessionDifference.lines(from: old, to: new, tree)
        #expect(lines.count == 1 && lines[0].hasPrefix("Azimuth, object 9:") && lines[0].hasSuffix("30°"), "\(lines)")
    }
}
