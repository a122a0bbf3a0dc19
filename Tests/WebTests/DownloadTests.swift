import Foundation
import MediaLibrary
import Synchronization
import TestSupport
import Testing
import Web

/// The user's files, which other threads open and read.
@Suite struct DownloadTests {
    private let temporary = TemporaryFolder()
    private let sound = (0..<1_500_001).map { UInt8(truncatingIfNeeded: $0 / 7) }
    private var packages: String { temporary.url.path + "/packages" }
    private var takes: String { temporary.url.path + "/takes" }

    init() throws {
        for folder in [packages, takes] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(sound).write(to: URL(filePath: folder + "/sound.bin"))
        }
        try Data().write(to: URL(filePath: packages + "/empty.bin"))
    }

    /// A disk that may be made to wait, and the number of files that were opened on it.
    private final class Disk: Sendable {
        let isBlocked = Mutex(false)
        let opened = Mutex(0)

        func open() {
            opened.withLock { $0 += 1 }
            waitUntil("the disk answers", seconds: 600) { isBlocked.withLock { !$0 } }
        }
    }

    private func server(_ disk: Disk = Disk()) throws -> TestServer {
        try TestServer(adjust: { [packages, takes] options in
            (options.packages.path, options.takes.path) = (packages, takes)
            options.web.onFile = { if $0 == packages { disk.open() } }
        })
    }

    @Test func theyArriveWholeAndInParts() throws {
        let server = try server()
        let whole = try #require(Answer.get(server.port, "/recordings/sound.bin"))
        #expect(whole.status == 200 && whole.body == sound)
        let part = try #require(Answer.get(server.port, "/recordings/sound.bin", ["Range": "bytes=1000-901000"]))
        #expect(part.status == 206 && part.body == Array(sound[1000...901_000]))
        #expect(Answer.get(server.port, "/recordings/sound.bin", ["If-None-Match": whole.headers["etag"] ?? ""])?.status == 304)
        #expect(Answer.get(server.port, "/recordings/empty.bin")?.body == [])
        #expect(Answer.get(server.port, "/recordings/none.bin")?.status == 404)
        let take = try #require(Answer.get(server.port, "/takes/sound.bin"))
        #expect(take.body == sound && take.headers["content-disposition"] == "attachment")
        let head = Answer(RawClient(server.port), "HEAD", "/recordings/sound.bin")
        #expect(head?.headers["content-length"] == "1500001")
        #expect(Answer.get(server.port, "/recordings/sound.bin", ["Connection": "Upgrade", "Upgrade": "h2c"])?.status == 503)
    }

    @Test func oneConnectionServesOneAfterTheOther() throws {
        let server = try server()
        let client = RawClient(server.port)
        for _ in 0..<3 {
            let answer = Answer(client, "GET", "/recordings/sound.bin")
            #expect(answer?.status == 200 && answer?.body == sound)
            #expect(Answer(client, "GET", "/health")?.status == 200)
        }
    }

    @Test func aDiskThatDoesNotAnswerHoldsUpItsOwnFilesOnly() throws {
        let disk = Disk()
        let server = try server(disk)
        disk.isBlocked.withLock { $0 = true }
        let request = "GET /recordings/sound.bin HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        let clients = (0..<70).map { _ in RawClient(server.port) }
        for client in clients { client.send(request) }
        // One waits in the thread, and 63 for it.
        let areRefused = { clients.map { $0.hasBytes(within: 0) } }
        waitUntil("six are refused") { areRefused().count { $0 } == 6 }
        let (refused, waiting) = (clients.filter { $0.hasBytes(within: 0) }, clients.filter { !$0.hasBytes(within: 0) })
        try #require(refused.count == 6 && waiting.count == 64)
        for client in refused { #expect(Answer(reading: client)?.status == 503) }
        let other = Answer.get(server.port, "/takes/sound.bin")
        #expect(other?.status == 200 && other?.body == sound)
        #expect(Answer.get(server.port, "/health")?.status == 200)
        for client in waiting.dropFirst(2) { client.close() }
        #expect(!waiting[0].hasBytes(within: 0.05))
        disk.isBlocked.withLock { $0 = false }
        for client in waiting.prefix(2) {
            let answer = Answer(reading: client)
            #expect(answer?.status == 200 && answer?.body == sound)
        }
        let again = Answer.get(server.port, "/recordings/sound.bin")
        #expect(again?.status == 200 && again?.body == sound)
    }

    @Test func aFileThatBecomesShorterEndsItsConnection() throws {
        let server = try server()
        let client = RawClient(server.port, receiveBuffer: 4096)
        // More than the sockets and the server keep.
        try Data(count: 64 << 20).write(to: URL(filePath: packages + "/large.bin"))
        client.send("GET /recordings/large.bin HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        #expect(client.hasBytes(within: 60))
        try FileHandle(forWritingTo: URL(filePath: packages + "/large.bin")).truncate(atOffset: 10)
        #expect(client.read(64 << 20) == nil)
        #expect(Answer.get(server.port, "/health")?.status == 200)
    }
}
