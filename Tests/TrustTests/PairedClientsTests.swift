import Foundation
import TestSupport
import Testing
import Trust

@Suite struct PairedClientsTests {
    private let temporary = TemporaryFolder()
    var path: String { temporary.path("state/clients.json") }

    func clients() throws -> PairedClients { try PairedClients(path: path) }

    @Test func aPairedClientIsRecognisedAfterARestart() throws {
        let (client, cookie) = try #require(try clients().add(name: "Phone", role: .control, now: 1000))
        let again = try clients()
        #expect(again.all == [client] && again.find(cookie) == client)
        #expect(client.name == "Phone" && client.role == .control && client.paired == 1000 && client.seen == 1000)
        for wrong in ["", cookie + "0", String(cookie.reversed()), client.id] { #expect(again.find(wrong) == nil) }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!text.contains(cookie))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func aRevocationReachesARunningServer() throws {
        let running = try clients()
        let (phone, phoneCookie) = try #require(try running.add(name: "Phone", role: .control, now: 0))
        let (tablet, tabletCookie) = try #require(try running.add(name: "Tablet", role: .view, now: 0))
        // Another process, such as `vestibule pairing --revoke`.
        let other = try clients()
        #expect(try other.revoke(phone.id) && other.setRole(tablet.id, .control))
        #expect(try other.revoke("00000000") == false && other.setRole("00000000", .view) == false)
        try running.refresh()
        #expect(running.find(phoneCookie) == nil && running.find(tabletCookie)?.role == .control)
        // The next write of the running server does not restore it.
        try running.noteSeen(tablet.id, now: 500)
        #expect(try clients().all.map(\.id) == [tablet.id] && clients().all[0].seen == 500)
        try running.noteSeen(phone.id, now: 5000)
        #expect(try clients().all.count == 1)
    }

    @Test func theLastVisitIsWrittenOnceAMinute() throws {
        let running = try clients()
        let (client, _) = try #require(try running.add(name: "Phone", role: .control, now: 100))
        for (now, written) in [(130, 100), (159, 100), (160, 160), (200, 160), (221, 221)] {
            try running.noteSeen(client.id, now: now)
            #expect(try clients().all[0].seen == written, "at \(now)")
        }
    }

    @Test func namesAreShortenedToOneLine() throws {
        let list = try clients()
        for (given, kept) in [
            ("  My phone ", "My phone"), ("a\nb\u{1B}[31mc\u{202E}d", "ab[31mcd"), ("\n\t ", "client"), ("", "client"),
            (String(repeating: "é", count: 100), String(repeating: "é", count: 20)),
        ] {
            #expect(try list.add(name: given, role: .view, now: 0)?.0.name == kept)
        }
    }

    @Test func theNumberOfPairedClientsIsLimited() throws {
        let list = try clients()
        for _ in 0..<PairedClients.most { #expect(try list.add(name: "x", role: .view, now: 0) != nil) }
        #expect(try list.add(name: "x", role: .view, now: 0) == nil)
        #expect(try list.revoke(list.all[0].id) && list.add(name: "x", role: .view, now: 0) != nil)
    }

    @Test func aDamagedListIsNeitherUsedNorOverwritten() throws {
        let id = try #require(try clients().add(name: "Phone", role: .control, now: 0)).0.id
        let other = try #require(try clients().add(name: "Tablet", role: .control, now: 0)).0.id
        let good = try String(contentsOfFile: path, encoding: .utf8)
        let wrongTime = "a time in it is not between the years 1970 and 9999"
        for (text, reason) in [
            (good.replacing(other, with: id), "two clients have the same id"),
            (good.replacing("\"seen\" : 0", with: "\"seen\" : \(Int.min)"), wrongTime),
            (good.replacing("\"paired\" : 0", with: "\"paired\" : \(Int.max)"), wrongTime),
            (String(good.dropLast(20)), "it is not a list of paired clients"), ("[]", "it is not a list of paired clients"),
            (good.replacing("\"version\" : 1", with: "\"version\" : 2"), "it was written by a newer version of this program"),
        ] {
            try PrivateFile.write(text, to: path)
            #expect(throws: TrustError.unreadableList(path, reason)) { try clients() }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
        try PrivateFile.write(good, to: path)
        chmod(path, 0o644)
        #expect(throws: TrustError.open(path)) { try clients() }
    }

    @Test func theListOfAnEarlierReleaseIsRenamed() throws {
        let folder = temporary.path("state")
        let (client, cookie) = try #require(try clients().add(name: "Phone", role: .control, now: 0))
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("\"clients\""))
        try PrivateFile.write(text.replacing("\"clients\"", with: "\"devices\""), to: folder + "/devices.json")
        try FileManager.default.removeItem(atPath: path)
        let list = try PairedClients(folder: folder)
        #expect(list.path == path && list.find(cookie) == client)
        #expect(FileManager.default.fileExists(atPath: path) && !FileManager.default.fileExists(atPath: folder + "/devices.json"))
        #expect(try list.setRole(client.id, .view) && PairedClients(folder: folder).all.map(\.role) == [.view])
        // The present list is not replaced by a former one.
        try PrivateFile.write(text, to: folder + "/devices.json")
        #expect(try PairedClients(folder: folder).all.map(\.role) == [.view])
    }
}
