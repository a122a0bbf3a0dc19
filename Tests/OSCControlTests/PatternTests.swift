import CLiblo
import DSP
import OSCControl
import TestSupport
import Testing

@Suite struct PatternTests {
    @Test(arguments: [
        ("/listener/*/gain", "/listener/12/gain"), ("/listener/[12]/gain", "/listener/2/gain"),
        ("/listener/[!2]/gain", "/listener/1/gain"), ("/listener/[1-3]/gain", "/listener/3/gain"),
        ("/listener/{1,2}/{gain,mute}", "/listener/2/mute"), ("/listener/?/mute", "/listener/1/mute"),
        ("/*/*/g*n", "/listener/1/gain"), ("/{a,b}*", "/a"), ("/{a,b}*", "/bc"), ("/*{aa,b}", "/aab"), ("/array/count", "/array/count"),
    ])
    func matches(_ pattern: String, _ address: String) {
        #expect(OSCAddressPattern.matches(pattern, address))
    }

    @Test(arguments: [
        ("/listener/*", "/listener/1/gain"), ("/listener*", "/listener/1"), ("*", "/listener/1/gain"),
        ("/listener/?/gain", "/listener/12/gain"), ("/listener/[12]/gain", "/listener/3/gain"),
        ("/listener/[!2]/gain", "/listener/2/gain"), ("/listener/{1,2}/gain", "/listener/3/gain"),
        ("/listener/{1,2/gain", "/listener/1/gain"), ("/listener/[12/gain", "/listener/1/gain"), ("", "/a"),
        ("/a*a*a*a*a*a*a*a*a*a*b", "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
    ])
    func doesNotMatch(_ pattern: String, _ address: String) {
        #expect(!OSCAddressPattern.matches(pattern, address))
    }

    /// liblo is the judge, for patterns of one part that are well formed.
    @Test func patternsMatchAsInLiblo() {
        var random = SeededRandom()
        let pieces = ["a", "b", "ab", "*", "?", "[ab]", "[a-c]", "[!b]", "[!a-b]", "{a,b}", "{ab,ba,c}", "{aa,b}", "c", "1"]
        var matched = 0
        for _ in 0..<20_000 {
            let pattern = (0..<Int.random(in: 1...6, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
            // liblo does not see that an asterisk after a choice matches nothing at the end of the name.
            guard !pattern.contains("}*") else { continue }
            let name = String((0..<Int.random(in: 1...8, using: &random)).map { _ in "abc1".randomElement(using: &random)! })
            let expected = lo_pattern_match(name, pattern) != 0
            #expect(OSCAddressPattern.matches("/" + pattern, "/" + name) == expected, "\(pattern) on \(name)")
            if expected { matched += 1 }
        }
        #expect(matched > 100)
    }

    /// The work does not grow with the number of ways in which a pattern could match.
    @Test func anyNumberOfAsterisksMatches() {
        let name = String(repeating: "a", count: 60)
        #expect(OSCAddressPattern.matches("/" + String(repeating: "*a", count: 60), "/" + name))
        #expect(OSCAddressPattern.matches("/" + String(repeating: "*{a,aa}", count: 30) + "*", "/" + name))
        #expect(!OSCAddressPattern.matches("/" + String(repeating: "*?", count: 60) + "b", "/" + name))
    }

    @Test func randomInputIsHandledSafely() {
        var random = SeededRandom()
        let letters = Array("/ab1-!*?[]{},")
        var matched = 0
        for _ in 0..<50_000 {
            let pattern = String((0..<Int.random(in: 0...12, using: &random)).map { _ in letters.randomElement(using: &random)! })
            let address = String((0..<Int.random(in: 0...8, using: &random)).map { _ in letters[0..<4].randomElement(using: &random)! })
            if OSCAddressPattern.matches(pattern, address) { matched += 1 }
        }
        #expect(matched > 0)
    }
}
