import Streaming
import Testing

@Suite struct RelayLimitsTests {
    @Test(arguments: [("", ""), ("Küche", "Küche"), (String(repeating: "W", count: 65), String(repeating: "W", count: 64))])
    func namesHaveAtMost64Characters(_ name: String, _ expected: String) {
        #expect(RelayLimits.bounded(name) == expected)
    }

    /// One character for Swift, two bytes each: 1 + 2 × 127 = 255.
    @Test func combiningMarksCount() {
        let name = RelayLimits.bounded("a" + String(repeating: "\u{301}", count: 5000))
        #expect(name.unicodeScalars.count == 128 && name.utf8.count == 255)
        // Four bytes each.
        #expect(RelayLimits.bounded(String(repeating: "𝄞", count: 100)).utf8.count == 256)
    }
}
