import Testing

@testable import Device

@Suite struct ArrayChannelsTests {
    @Test func mapsAreNumbersAndRanges() throws {
        #expect(try ArrayChannels("1,2,5-7").numbers == [1, 2, 5, 6, 7])
        #expect(try ArrayChannels("12, 3-10").numbers == [12, 3, 4, 5, 6, 7, 8, 9, 10])
        #expect(try ArrayChannels("1-64").numbers.count == 64)
        #expect(try ArrayChannels("8,7,6,5").description == "8,7,6,5")
    }

    @Test(arguments: [
        ("1,,3,4", "\"\" in \"1,,3,4\" is neither a channel nor a range of channels."),
        ("1-4,x", "\"x\" in \"1-4,x\" is neither"), ("4-1", "\"4-1\" in \"4-1\" is neither"), ("1-2-3", "\"1-2-3\" in"),
        ("", "\"\" in \"\" is neither"), ("-1,2,3,4", "\"-1\" in"), ("1-4,3", "Channel 3 is named twice."),
        ("0,1,2,3", "There is no channel 0."), ("1-3,1025", "There is no channel 1025."),
        ("1-3", "An array has 4 to 64 microphones, not 3."), ("1-65", "An array has 4 to 64 microphones, not 65."),
        ("1-99999999999", "\"1-99999999999\" in"), ("99999999999999999999", "\"99999999999999999999\" in"),
    ])
    func wrongMapsAreRefusedWithTheNotation(text: String, words: String) {
        let error = #expect(throws: DeviceError.self) { try ArrayChannels(text) }
        #expect(error?.description.hasPrefix(words) == true)
        #expect(error?.description.hasSuffix("from 1 to 1024, 4 to 64 in all, as in 1,2,5-18.") == true)
    }

    @Test(arguments: [
        ("alsa:hw:1,0", ArrayInput.alsa("hw:1,0")), ("jack", .jack(nil)), ("jack:hall", .jack("hall")), ("file:a:b.wav", .file("a:b.wav")),
    ])
    func sourcesAreReadAndWritten(text: String, input: ArrayInput) throws {
        #expect(try ArrayInput(text) == input)
        #expect(input.description == text)
    }

    @Test(arguments: ["", "alsa", "alsa:", "jack:", "file:", "usb", "scene.wav"])
    func otherSourcesAreRefused(text: String) {
        let error = #expect(throws: DeviceError.self) { try ArrayInput(text) }
        #expect(error?.description.hasPrefix("There is no array \"\(text)\". Write alsa:NAME") == true)
    }
}
