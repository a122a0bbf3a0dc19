import Testing

@testable import Media

/// Titles that radio stations announce.
@Suite struct StationTitleTests {
    static func shown(_ announcement: [UInt8]) -> String? {
        StationTitle.title(in: announcement).map { StationTitle.line(StationTitle.text($0)) }
    }

    static func shown(_ announcement: String) -> String? { shown(Array(announcement.utf8)) }

    @Test(arguments: [
        ("StreamTitle='Rain - Slow Song';", "Rain - Slow Song"),
        ("StreamTitle='Rain - Slow Song';\0\0\0\0", "Rain - Slow Song"),
        ("StreamTitle='Guns N' Roses; live';", "Guns N' Roses; live"),
        ("StreamTitle='Rock 'n'; roll';StreamUrl='http://example.org/a';", "Rock 'n'; roll"),
        ("StreamTitle='Björk – Jóga'", "Björk – Jóga"),
        ("StreamTitle='without an end", "without an end"),
        ("StreamTitle='one';StreamUrl='", "one"), ("StreamTitle='one'StreamUrl='x';", "one"), ("StreamTitle='one'; StreamUrl=x;", "one"),
        ("StreamUrl='http://example.org/a';StreamTitle='after it';", "after it"),
        ("StreamTitle='one';adw_ad='true';durationMilliseconds='1';", "one"),
        ("streamtitle='small';", "small"), ("StreamTitle='';", ""), ("StreamTitle='x=';y';", "x=';y"),
    ])
    func titleIsWhole(announcement: String, title: String) { #expect(Self.shown(announcement) == title) }

    @Test func withoutATitleThereIsNone() {
        #expect(Self.shown("") == nil)
        #expect(Self.shown("StreamUrl='http://example.org';") == nil)
    }

    @Test func bytesThatAreNoUTF8AreWindows1252() {
        let start = Array("StreamTitle='".utf8)
        let end = Array("';".utf8)
        #expect(Self.shown(start + [0x42, 0x65, 0x79, 0x6F, 0x6E, 0x63, 0xE9, 0x20, 0x44, 0xE9, 0x6A, 0xE0] + end) == "Beyoncé Déjà")
        #expect(Self.shown(start + [0x93, 0x41, 0x94, 0x20, 0x96, 0x20, 0x80, 0x35] + end) == "“A” – €5")
        #expect(Self.shown(start + [0x43, 0x61, 0x66, 0xE9] + end) == "Café")
        // Bytes without a character are left out.
        #expect(Self.shown(start + [0x41, 0x81, 0x8D, 0xE9, 0x42] + end) == "AéB")
    }

    @Test func textThatIsCutWithinACharacterStaysUTF8() {
        let whole = Array("StreamTitle='Björk – Jóga €".utf8)
        #expect(Self.shown(whole.dropLast()) == "Björk – Jóga")
        #expect(Self.shown(whole.dropLast(2)) == "Björk – Jóga")
        #expect(Self.shown(Array(whole.dropLast()) + Array("';".utf8)) == "Björk – Jóga")
        #expect(Self.shown(Array("StreamTitle='Hits 🎵".utf8.dropLast())) == "Hits")
    }

    static func shown(_ announcement: ArraySlice<UInt8>) -> String? { shown(Array(announcement)) }

    @Test func noCharacterChangesLinesOrDirections() {
        #expect(
            StationTitle.line("a\u{202E}b\u{2066}c\u{200F}\u{61C}\u{FEFF}\u{1B}[31m\u{7F}\u{85}d\u{2028}e\t\nf\u{0}") == "abc[31m d e  f")
        #expect(StationTitle.line("  \u{200E} a  b \u{202C} ") == "a  b")
        #expect(StationTitle.line(String(repeating: "é", count: 500)).count == 200)
        // What joins pictures and letters stays.
        #expect(StationTitle.line("👩‍🎤 שלום") == "👩‍🎤 שלום")
    }
}
