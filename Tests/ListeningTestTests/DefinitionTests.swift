import ListeningTest
import Testing

@Suite struct DefinitionTests {
    static let whole = """
        {
          "title": "Methods",
          "reference": "ring-spectral",
          "conditions": ["two-band", "nearest"],
          "anchors": [3500, 7000],
          "repetitions": 2,
          "training": "voice",
          "passages": [
            {"name": "voice", "recording": "a.wav", "from": 1, "to": 6.5},
            {"name": "drum", "recording": "b.wav"}
          ]
        }
        """

    @Test func aWholeDefinitionIsRead() throws {
        let test = try TestDefinition(json: Self.whole, name: "test.json")
        #expect(test.title == "Methods" && test.kind == .mushra && test.repetitions == 2 && test.training == 0)
        #expect(test.stimuli == [.hiddenReference, .method("two-band"), .method("nearest"), .anchor(3500), .anchor(7000)])
        let first = test.passages[0]
        #expect(first.name == "voice" && first.recording == "a.wav" && first.from == 1 && first.to == 6.5)
        #expect(test.passages[1].to == nil && test.passages[1].from == 0)
    }

    @Test func anchorsAreThoseOfTheRecommendationUnlessGiven() throws {
        let plain = #"{"title": "T", "reference": "ring", "conditions": ["linear"], "passages": [{"recording": "a.wav"}]}"#
        let mushra = try TestDefinition(json: plain, name: "t")
        #expect(mushra.anchors == [3500, 7000])
        let abx = try TestDefinition(json: plain.replacing("{\"title\"", with: "{\"kind\": \"abx\", \"title\""), name: "t")
        #expect(abx.anchors.isEmpty)
    }

    /// Text to replace, its replacement, and parts of the error.
    static let errors: [(old: String, new: String, words: [String])] = [
        ("\"ring-spectral\"", "\"ring-spectal\"", ["test.json:3:", "\"reference\"", "ring-spectal", "two-band-fixed"]),
        ("\"two-band\", ", "\"ring-spectral\", ", ["test.json:4:", "twice"]),
        ("\"title\": \"Methods\"", "\"titel\": \"Methods\"", ["test.json:2:", "titel", "expected title"]),
        ("\"title\": \"Methods\",", "", ["\"title\" is missing"]),
        ("[3500, 7000]", "[3500, 70000]", ["test.json:5:", "500 to 15000"]),
        ("[3500, 7000]", "[3500, 3500]", ["test.json:5:", "twice"]),
        ("\"repetitions\": 2", "\"repetitions\": 2.5", ["test.json:6:", "whole"]),
        ("\"training\": \"voice\"", "\"training\": \"song\"", ["test.json:7:", "song"]),
        ("\"to\": 6.5", "\"to\": 1.1", ["test.json:9:", "0.5 to 120.0 s"]),
        ("\"recording\": \"b.wav\"", "\"file\": \"b.wav\"", ["test.json:10:", "file"]),
        ("\"drum\"", "\"voice\"", ["test.json:8:", "a name twice"]),
        ("\"passages\": [", "\"passages\": 3, \"x\": [", ["test.json:8:"]),
        ("[\"two-band\", \"nearest\"]", "\"nearest\"", ["test.json:4:", "a list"]),
        ("  ]\n}", "  ]\n", ["test.json:12:", "}"]),
    ]

    @Test(arguments: errors.indices) func errorsNameTheLineAndWhatIsExpected(_ index: Int) throws {
        let (old, new, words) = Self.errors[index]
        let text = Self.whole.replacing(old, with: new)
        #expect(text != Self.whole)
        let error = try #require(throws: TestError.self) { try TestDefinition(json: text, name: "test.json") }
        for word in words { #expect(error.description.contains(word), "\(error)") }
    }
}
