import Files
import Testing

@Suite struct WrittenAddressTests {
    @Test(arguments: ["http://host/A?B#C", "HTTP://host/A?B#C", "Http://host/A?B#C"])
    func schemeIsTheSameInCapitals(text: String) throws {
        let address = try #require(WrittenAddress(text))
        #expect(address.scheme == "http" && address.text == "http://host/A?B#C")
        #expect(address.authority == "host" && address.place == "/A?B#C")
    }

    @Test(arguments: ["", "host/a", "://host", "1http://host", "a b://host", "user:pass@http://host", "name.wav"])
    func withoutASchemeItIsNoAddress(text: String) { #expect(WrittenAddress(text) == nil) }

    @Test(arguments: [
        "http://user:s3cr3t@host/live", "HTTPS://user:s3cr3t@host", "http://user@host/", "http://:s3cr3t@host/", "http://user:pa@ss@host/",
        "http://user:s3cr3t@[::1]:8000/", "http:/user:s3cr3t@host/", "http:user:s3cr3t@host", "http//user:s3cr3t@host",
        "http:\\\\user:s3cr3t@host",
        "http:///user:s3cr3t@host/", "//user:s3cr3t@host/x", "user:s3cr3t@host/x", "user:s3cr3t@http://host/",
        "http://http://user:s3cr3t@host/",
        "http://user:s3/cr3t@host/", "http://user:s3?cr3t@host/", "http://user:s3#cr3t@host/", "http://good\\@host/", " user:s3cr3t@host",
        "ftp://user:s3cr3t@host/a.mp3", "http;//user:s3cr3t@host/",
    ])
    func loginsAreFoundHoweverTheyAreWritten(text: String) {
        #expect(WrittenAddress.hasLogin(text) && WrittenAddress.hasSecret(text))
        #expect(!WrittenAddress.shown(text).contains("s3"))
    }

    @Test(arguments: [
        "http://host/live?password=s3cr3t", "https://host/a?x=1&token=s3cr3t", "http://host/?Access_Token=s3cr3t",
        "http://host/a;pwd=s3cr3t",
        "http://host/a#token=s3cr3t", "http://host/a?api-key=s3cr3t", "http://host/a?%70assword=s3cr3t", "host/live?token=s3cr3t",
        "http://host?key=s3cr3t", "http:/host/a?auth=s3cr3t",
    ])
    func fieldsWithSecretsAreFound(text: String) { #expect(WrittenAddress.hasSecret(text) && !WrittenAddress.hasLogin(text)) }

    @Test(arguments: [
        "", "http://host:8000/live", "https://[::1]:8000/a", "http://host/@night/live", "http://host/at:12@home",
        "http://host:8000/me@home",
        "http://host/live?title=password", "http://host/?tokens", "http://host/?token=", "http://host/a?keyword=x&passage=2", "name.wav",
        "me@home.wav", "Talk at 12:30 @ home.wav", "12:30.wav", "a@b:c.wav", "token=1.wav", "#token",
    ])
    func otherTextsHaveNone(text: String) {
        #expect(!WrittenAddress.hasSecret(text))
        #expect(WrittenAddress.shown(text) == text)
    }
}
