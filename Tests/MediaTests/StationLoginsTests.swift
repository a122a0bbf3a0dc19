import Files
import Foundation
import TestSupport
import Testing

@testable import Media

/// Logins of radio stations, which their addresses do not have.
@Suite final class StationLoginsTests {
    private let temporary = TemporaryFolder()

    func logins(_ text: String, mode: Int = 0o600) throws -> StationLogins {
        let path = temporary.path + "/logins"
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return try StationLogins(path: path)
    }

    func address(_ text: String, _ logins: StationLogins) throws -> String { logins.address(try #require(WrittenAddress(text))) }

    @Test func onlyTheStationGetsItsLogin() throws {
        let logins = try logins("# stations\n\nhttps://Radio.example.org user p@ss: wörd\r\nhttp://other.example:8000/ ?token=abc\n")
        #expect(
            try address("https://radio.example.org/live?x=1", logins) == "https://user:p%40ss%3A%20w%C3%B6rd@radio.example.org/live?x=1")
        #expect(try address("HTTPS://radio.example.org:443/live", logins).hasPrefix("https://user:"))
        #expect(try address("http://other.example:8000/live", logins) == "http://other.example:8000/live?token=abc")
        #expect(try address("http://other.example:8000/live?x=1#here", logins) == "http://other.example:8000/live?x=1&token=abc")
        for other in [
            "http://radio.example.org/live", "https://radio.example.org:8443/live", "https://radio.example.org.evil.example/",
            "https://evil.example/radio.example.org", "https://evil.example\\radio.example.org/", "http://other.example/live",
            "https://other@radio.example.org/",
        ] { #expect(try address(other, logins) == other) }
        #expect(try address("https://radio.example.org/", StationLogins()) == "https://radio.example.org/")
    }

    @Test(arguments: [
        "radio.example.org user s3cr3t", "https://radio.example.org user", "https://radio.example.org/live user s3cr3t",
        "https://radio.example.org", "ftp://radio.example.org user s3cr3t", "https://x:s3cr3t@radio.example.org user s3cr3t",
        "https://radio.example.org us:er s3cr3t", "https://radio.example.org ?",
    ])
    func errorsNameTheLineAndNoSecret(line: String) {
        do {
            _ = try logins("https://a.example user s3cr3t\n\(line)\n")
            Issue.record("accepted")
        } catch { #expect("\(error)".contains("line 2") && !"\(error)".contains("s3cr3t")) }
    }

    @Test func fileThatOthersMayReadIsRefused() {
        #expect(throws: FileError.self) { try logins("https://a.example user pass\n", mode: 0o644) }
    }
}
