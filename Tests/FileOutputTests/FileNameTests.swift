import FileOutput
import Testing

/// Names that clients write.
@Suite struct FileNameTests {
    @Test(arguments: ["My lead", "Live/My lead", "Été", "雨", "1", "-", "נגן", "lead\u{301}"])
    func readableNamesAreAccepted(_ name: String) {
        #expect(FileName.isReadable(name))
    }

    @Test(arguments: [" ", "\u{3000}\u{A0}", "Live/ ", "\u{200B}", "rack\u{202E}nosj.exe", "a\u{2066}b", "\u{200F}1"])
    func blankAndMisleadingNamesAreRefused(_ name: String) {
        #expect(!FileName.isReadable(name))
    }
}
