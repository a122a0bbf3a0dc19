import OSCControl
import Testing

@Suite struct PatternTests {
    @Test(arguments: [
        ("/listener/*/gain", "/listener/12/gain"), ("/listener/[12]/gain", "/listener/2/gain"),
        ("/listener/[!2]/gain", "/listener/1/gain"), ("/listener/[1-3]/gain", "/listener/3/gain"),
        ("/listener/{1,2}/{gain,mute}", "/listener/2/mute"), ("/listener/?/mute", "/listener/1/mute"),
        ("/*/*/g*n", "/listener/1/gain"), ("/array/count", "/array/count"),
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

    @Test func randomInputIsHandledSafely() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = Seeded(state: seed)
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
