import Binaural
import FileOutput
import Foundation
import Media
import Testing

@Suite struct SceneDescriptionTests {
    @Test func roundTripPreservesTheDescription() throws {
        let scratch = SoundFixture()
        let array = MicrophoneArray.uniform(count: 7, radius: 0.09)
        let scene = SceneDescription(
            array: array, rate: 48_000, delay: 210,
            sources: [.init(name: "voice", azimuth: 30), .init(name: "a/b", azimuth: -110, elevation: 15, gain: -3)])
        try scene.write(to: OutputFile(scratch.path("scene.json")))
        let back = try SceneDescription(readingFrom: scratch.path("scene.json"))
        #expect(back == scene)
        #expect(back.microphones.azimuthList == array.azimuthList && back.microphones.radius == 0.09)
    }

    @Test func sidecarIsBesideTheRecording() throws {
        let scratch = SoundFixture()
        #expect(SceneDescription.sidecar(of: "/a/b.c/take 1.wav") == "/a/b.c/take 1.json")
        #expect(SceneDescription.sidecar(of: scratch.folder) == scratch.path("scene.json"))
    }

    /// Descriptions with one value replaced, and the words that the error has to contain.
    static let spoilt = [
        (#""azimuths":[0,90]"#, #""azimuths":[0]"#, "array.azimuths has 1"),
        (#""azimuths":[0,90]"#, #""azimuths":[0,360]"#, "at the same position"),
        (#""azimuths":[0,90]"#, #""azimuths":["x",0]"#, "array.azimuths.0"),
        (#""azimuths":[0,90]"#, #""azimuths":[0,5e6]"#, "array.azimuths[1] is 5"),
        (#""count":2,"#, "", "array.count is missing"),
        (#""count":2"#, #""count":65"#, "array.count is 65"),
        (#""radius":0.1"#, #""radius":-1"#, "array.radius is -1"),
        (#""version":1"#, #""version":2"#, "version is 2"),
        (#""delay":0"#, #""delay":-1"#, "delay is -1"),
        (#""rate":48000"#, #""rate":0"#, "rate is 0"),
        (#""elevation":15"#, #""elevation":100"#, "sources[0].elevation is 100"),
        (#"]}"#, "]", "not JSON"),
    ]

    @Test(arguments: spoilt)
    func errorNamesTheInvalidField(was: String, becomes: String, words: String) throws {
        let scratch = SoundFixture()
        let valid =
            #"{"version":1,"array":{"count":2,"radius":0.1,"azimuths":[0,90]},"delay":0,"rate":48000,"#
            + #""sources":[{"name":"a","azimuth":0,"elevation":15,"gain":0}]}"#
        func read(_ json: String) throws -> SceneDescription {
            try Data(json.utf8).write(to: URL(fileURLWithPath: scratch.path("scene.json")))
            return try SceneDescription(readingFrom: scratch.path("scene.json"))
        }
        #expect(try read(valid).array.count == 2)
        let refusal = #expect(throws: MediaError.self) {
            try read(valid.replacingOccurrences(of: was, with: becomes))
        }
        #expect(refusal?.description.contains(words) == true, "\(refusal?.description ?? "")")
        #expect(refusal?.description.contains("scene.json") == true)
    }

    @Test func placementsAreParsed() throws {
        #expect(try SceneDescription.Placement(parsing: "a@b.wav@-110,15").name == "a@b.wav")
        let placement = try SceneDescription.Placement(parsing: "a.wav@-110,15", gain: -3)
        #expect(placement == .init(name: "a.wav", azimuth: -110, elevation: 15, gain: -3))
        #expect(try SceneDescription.Placement(parsing: "a.wav@30").elevation == 0)
        #expect(try SceneDescription.Placement(parsing: "a.wav@720").problem == nil)
        for text in ["a.wav", "a.wav@", "@30", "a.wav@left", "a.wav@1,2,3", "a.wav@0,91", "a.wav@nan", "a.wav@1,", "a.wav@2e6"] {
            #expect(throws: MediaError.self) { try SceneDescription.Placement(parsing: text) }
        }
    }
}
