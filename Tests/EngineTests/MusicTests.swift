import Engine
import Foundation
import Hub
import Parameters
import Testing

/// The source of music, as clients set it.
@Suite struct MusicTests {
    let folder: TestFolder
    let harness: EngineHarness

    init() throws {
        folder = TestFolder()
        harness = try EngineHarness(folder, objects: 1)
        try harness.start()
    }

    @Test(arguments: [
        "http://user:s3cr3t@127.0.0.1:1/live", "HTTPS://user:s3cr3t@host/", "http:/user:s3cr3t@host", "user:s3cr3t@host/x",
        "ftp://user:s3cr3t@host/a.mp3", "http://host/live?password=s3cr3t", "http://host/live?Token=s3cr3t",
    ])
    func secretsInAddressesAreRefusedAndNotRepeated(address: String) throws {
        let reply = harness.send("/music/source", .string(address))
        guard case .refused(let text) = reply else {
            Issue.record("\(reply)")
            return
        }
        #expect(text.contains("--music-login-file") && !text.contains("s3cr3t"))
        for other in ["/transport/video/file", "/object/1/source"] where address.contains("@") {
            #expect(harness.send(other, .string(address)) != .done)
        }
        #expect(harness.text("/music/source") == "" && harness.text("/music/problem") == "")
        #expect(!harness.notices.contains { $0.contains("s3cr3t") }, "\(harness.notices)")
    }

    /// A session of an earlier version may hold a password: it is not used, and not written again.
    @Test func aSecretInASessionIsNotSavedAgain() throws {
        harness.send("/music/source", .string("http://127.0.0.1:1/live"))
        harness.send("/session/save-as", .string("old"))
        let path = folder.path("sessions/old.json")
        harness.until("it is saved") { FileManager.default.fileExists(atPath: path) }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let old = text.replacing("127.0.0.1:1", with: "user:s3cr3t@127.0.0.1:1")
        try #require(old.contains("s3cr3t"))
        try Data(old.utf8).write(to: URL(filePath: path))
        harness.send("/session/load", .string("old"))
        harness.until("it is loaded") { harness.notices.contains { $0.contains("/music/source is left out") } }
        #expect(harness.notices.contains { $0.contains("which the file still holds; save the session") })
        #expect(harness.text("/music/source") == "" && !harness.notices.contains { $0.contains("s3cr3t") })
        harness.send("/session/save")
        harness.until("it is saved again") { (try? String(contentsOfFile: path, encoding: .utf8))?.contains("s3cr3t") == false }
    }

    @Test(arguments: ["http://127.0.0.1:1/a", "HTTP://127.0.0.1:1/a", "Https://127.0.0.1:1/@night", "hall.wav"])
    func addressesKeepTheirSpelling(address: String) {
        #expect(harness.send("/music/source", .string(address)) == .done)
        #expect(harness.text("/music/source") == address)
    }

    @Test(arguments: ["HTTP://host.example/media/", "https://host.example/media"])
    func followedMediaHaveASchemeInAnyLetters(address: String) throws {
        let media = try #require(FollowedMedia(address))
        #expect(media == FollowedMedia(address.lowercased()))
        #expect(FollowedMedia("http://user:pass@host/") == nil && FollowedMedia("ftp://host/") == nil)
    }
}
