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
