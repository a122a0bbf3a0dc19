import Engine
import Hub
import Parameters
import Testing

/// The text form of cues: canonical texts, and refusals that name the wrong part.
@Suite struct CueTextTests {
    let folder: TestFolder
    let harness: EngineHarness

    init() throws {
        folder = TestFolder()
        harness = try EngineHarness(folder)
    }

    @Test(arguments: [
        ("1 play", "1 play"),
        ("  007.50   pause ", "7.5 pause"),
        ("9999.99 stop", "9999.99 stop"),
        ("0.01 stop sounds", "0.01 stop sounds"),
        ("2 stop sounds fade 2.50", "2 stop sounds fade 2.5"),
        ("2 stop all", "2 stop all"),
        ("2 seek 12.500", "2 seek 12.5"),
        ("2 sound \"long gong\"", "2 sound \"long gong\""),
        ("2 sound \"gong\"", "2 sound gong"),
        ("2 \"Doors \\\"A\\\" \\\\\" cue 1.50", "2 \"Doors \\\"A\\\" \\\\\" cue 1.5"),
        ("3 follow wait 0.25 at 7:05 scene Dark fade 30", "3 at 07:05:00 wait 0.25 follow scene Dark fade 30"),
        ("3 at 23:59:59 continue 0 scene Dark", "3 at 23:59:59 continue 0 scene Dark"),
        ("3 at position 61.5 object 2 sound rain", "3 at position 61.5 object 2 sound rain"),
        ("3 object 12 stop", "3 object 12 stop"),
        ("3 recording \"part two.wav\"", "3 recording \"part two.wav\""),
        ("3 recording rain.wav fade 2.50", "3 recording rain.wav fade 2.5"),
        ("4 osc lights.local:8000 /go", "4 osc lights.local:8000 /go"),
        (
            "4 osc [::1]:9001 /a/* 1 -2 0.5 1e3 true false word \"5\" 1.5.2 3000000000",
            "4 osc [::1]:9001 /a/* 1 -2 0.5 1000.0 true false \"word\" \"5\" \"1.5.2\" 3e+09"
        ),
    ])
    func texts(_ text: String, _ expected: String) {
        #expect(harness.send("/cue-list/1/cue", .string(text)) == .done)
        #expect(harness.text("/cue-list/1/cue") == expected)
        // The canonical text means the same.
        #expect(harness.send("/cue-list/2/cue", .string(expected)) == .done)
        #expect(harness.text("/cue-list/2/cue") == expected)
    }

    @Test(arguments: [
        ("go", "begins with its number"),
        ("0 play", "begins with its number"),
        ("1.234 play", "begins with its number"),
        ("10000 play", "begins with its number"),
        ("-1 play", "begins with its number"),
        ("1", "\"\" is not a cue action"),
        ("1 dance", "\"dance\" is not a cue action"),
        ("1 \"no end play", "a quote (\") in the cue does not end"),
        ("1 play\nplay", "one line"),
        ("1 play wait 2", "options (at, wait, continue, follow) come before the action"),
        ("1 wait soon play", "\"wait\" needs a time of 0 to 86400 seconds"),
        ("1 wait 86400.001 play", "\"wait\" needs a time"),
        ("1 wait 1. play", "\"wait\" needs a time"),
        ("1 continue -1 play", "\"continue\" needs a time"),
        ("1 at 24:00 play", "\"at\" needs a time of day"),
        ("1 at 12 play", "\"at\" needs a time of day"),
        ("1 at 12:00:00:00 play", "\"at\" needs a time of day"),
        ("1 at position end play", "\"at position\" needs a position"),
        ("1 scene", "\"scene\" needs the name of a scene"),
        ("1 scene Dark fade 3601", "\"fade\" needs a duration of 0 to 3600 seconds"),
        ("1 recording a.wav fade 61", "\"fade\" needs a duration of 0 to 60 seconds"),
        ("1 seek", "\"seek\" needs a position"),
        ("1 object rain", "\"object\" needs the number"),
        ("1 object 1 rain", "\"object 1\" needs \"sound\""),
        ("1 cue first", "\"cue\" needs the number"),
        ("1 osc /address", "\"osc\" needs HOST:PORT"),
        ("1 osc host:0 /a", "\"osc\" needs HOST:PORT"),
        ("1 osc host:65536 /a", "\"osc\" needs HOST:PORT"),
        ("1 osc -v:9000 /a", "\"osc\" needs HOST:PORT"),
        ("1 osc ho;st:9000 /a", "\"osc\" needs HOST:PORT"),
        ("1 osc host:9000 a", "needs an OSC address"),
        ("1 osc host:9000 /a 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", "at most 16 arguments, not 17"),
    ])
    func refusals(_ text: String, _ words: String) {
        let reply = harness.send("/cue-list/store", .string(text))
        #expect(reply.text?.contains(words) == true, "\(text): \(reply)")
        #expect(harness.text("/cue-list/1/cue").isEmpty)
    }

    @Test func lengths() {
        let name = String(repeating: "ä", count: 60)
        #expect(harness.send("/cue-list/store", .string("1 \"\(name)\" play")) == .done)
        #expect(harness.send("/cue-list/store", .string("1 \"\(name)a\" play")).text?.contains("at most 60 characters") == true)
        // Words get quotes, which count.
        let words = "1 osc h:1 /a a a \(String(repeating: "x", count: 1003))"
        #expect(words.utf8.count == 1020)
        #expect(harness.send("/cue-list/store", .string(words)).text?.contains("at most 1024 bytes, this one has 1026") == true)
        let long = "1 osc h:1 /a \"\(String(repeating: "x", count: 1024))\""
        #expect(harness.send("/cue-list/store", .string(long)).text?.contains("1024") == true)
    }
}
