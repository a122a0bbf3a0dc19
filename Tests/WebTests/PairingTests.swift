import Foundation
import Hub
import OSCControl
import Parameters
import Synchronization
import TestSupport
import Testing
import Trust
import Web

/// Pairing codes, paired clients, and their permissions.
@Suite struct PairingTests {
    typealias Log = Holder<Mutex<[String]>>

    static let control = ["Authorization": "Bearer \(AccessTests.tokens.control)"]
    private let temporary = TemporaryFolder()
    var path: String { temporary.path("state/clients.json") }

    func server(_ log: Log = Holder(Mutex([])), admission: OSCAdmission = OSCAdmission()) throws -> TestServer {
        try TestServer(tokens: AccessTests.tokens, clients: path, admission: admission) { hub, _ in
            hub.onLog = { line, _ in log.value.withLock { $0.append(line) } }
        }
    }

    func post(_ server: TestServer, _ target: String, _ body: String, _ headers: [String: String] = [:]) -> Answer? {
        let client = RawClient(server.port)
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        client.send(
            "POST \(target) HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return Answer(reading: client)
    }

    func offer(_ server: TestServer, _ role: String = "control") throws -> String {
        let answer = try #require(post(server, "/pairing/offer", "{\"role\":\"\(role)\"}", Self.control))
        let url = try #require(answer.json["url"] as? String)
        #expect(url.hasPrefix("http://127.0.0.1:\(server.port)/#pair="))
        return String(url.suffix(32))
    }

    /// The cookie as a header, and the id of the paired client.
    func pair(_ server: TestServer, _ role: String = "control") throws -> (cookie: [String: String], id: String) {
        let answer = try #require(post(server, "/pairing", "{\"token\":\"\(try offer(server, role))\",\"name\":\"Phone\"}"))
        #expect(answer.status == 200 && answer.json["role"] as? String == role)
        let cookie = try #require(answer.headers["set-cookie"]).components(separatedBy: "; ")
        #expect(Set(cookie).isSuperset(of: ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=34560000"]))
        return (["Cookie": cookie[0]], try #require(answer.json["id"] as? String))
    }

    func mayRead(_ server: TestServer, _ headers: [String: String]) -> Bool {
        Answer.get(server.port, "/listener/1/gain", headers)?.status == 200
    }

    @Test func aCodePairsOneClientPermanently() throws {
        let log = Log(Mutex([]))
        var server = try server(log)
        let phone = try pair(server)
        #expect(mayRead(server, phone.cookie) && !mayRead(server, [:]))
        let socket = SocketTestClient(server.port, headers: phone.cookie)
        socket.set("/listener/1/gain", .float(-6))
        #expect(server.until { hub, _ in hub.value(hub.tree.index(ListenerParameter.gain, 0)) == .number(-6) })
        #expect(log.value.withLock { $0.first } == "Phone at 127.0.0.1 was paired and may control")
        server = try self.server()
        #expect(mayRead(server, phone.cookie))
        #expect(!mayRead(server, phone.cookie.mapValues { $0 + "0" }))
    }

    @Test func aReplayedCodeIsRefusedAndLoggedOnce() throws {
        let log = Log(Mutex([]))
        let server = try server(log)
        let token = try offer(server)
        #expect(post(server, "/pairing", "{\"token\":\"\(token)\"}")?.status == 200)
        for _ in 0..<3 {
            let replay = try #require(post(server, "/pairing", "{\"token\":\"\(token)\"}"))
            #expect(replay.status == 410 && replay.headers["set-cookie"] == nil && replay.text.contains("has been used already"))
        }
        #expect(
            log.value.withLock { $0 } == [
                "client at 127.0.0.1 was paired and may control",
                "a pairing code from 127.0.0.1 was refused: it had been used already",
            ])
        #expect(log.value.withLock { $0.allSatisfy { !$0.contains(token) } })
    }

    @Test func wrongAndExpiredCodesAreRefusedAndGuessingIsLimited() throws {
        let log = Log(Mutex([]))
        let server = try server(log)
        let first = try offer(server)
        for _ in 0..<15 { _ = try offer(server) }
        let last = try offer(server)
        #expect(post(server, "/pairing", "{\"token\":\"\(first)\"}")?.status == 410)
        for wrong in 0..<9 { #expect(post(server, "/pairing", "{\"token\":\"guess \(wrong)\"}")?.status == 401) }
        // From now on wrong codes and tokens have to wait, and the right ones of others at the same address do not.
        for wrong in [first, "guess", String(last.reversed())] {
            #expect(post(server, "/pairing", "{\"token\":\"\(wrong)\"}")?.status == 429)
            #expect(post(server, "/login", "{\"token\":\"\(wrong)\"}")?.status == 429)
        }
        #expect(post(server, "/pairing", "{\"token\":\"\(last)\"}")?.status == 200)
        #expect(post(server, "/pairing", "{\"token\":\"\(last)\"}")?.status == 429)
        #expect(Answer.get(server.port, "/listener/1/gain", Self.control)?.status == 200)
        #expect(post(server, "/login", "{\"token\":\"\(AccessTests.tokens.control)\"}")?.status == 200)
        #expect(
            log.value.withLock { $0 } == [
                "a pairing code from 127.0.0.1 was refused: it had expired",
                "a wrong pairing code from 127.0.0.1 was refused",
                "client at 127.0.0.1 was paired and may control",
            ])
    }

    @Test func revokingEndsConnectionsAtOnce() throws {
        let server = try server()
        let (phone, tablet) = (try pair(server), try pair(server, "view"))
        let (phoneSocket, tabletSocket) = (
            SocketTestClient(server.port, headers: phone.cookie), SocketTestClient(server.port, headers: tablet.cookie)
        )
        #expect(phoneSocket.isServed() && tabletSocket.isServed())
        #expect(post(server, "/pairing/revoke", "{\"id\":\"\(phone.id)\"}", tablet.cookie)?.status == 403)
        #expect(post(server, "/pairing/revoke", "{\"id\":\"\(phone.id)\"}")?.status == 401)
        #expect(post(server, "/pairing/revoke", "{\"id\":\"\(phone.id)\"}", Self.control)?.status == 204)
        let end = try #require(phoneSocket.receive())
        #expect(end.opcode == SocketTestClient.close && end.payload.prefix(2) == [0x0F, 0xA1])  // 4001.
        #expect(!mayRead(server, phone.cookie) && mayRead(server, tablet.cookie) && tabletSocket.isServed())
        #expect(SocketTestClient(server.port, headers: phone.cookie).status == 401)
        #expect(post(server, "/pairing/revoke", "{\"id\":\"\(phone.id)\"}", Self.control)?.status == 404)
    }

    @Test func aRevocationByAnotherProcessTakesEffectWithinSeconds() throws {
        let server = try server()
        let phone = try pair(server)
        let socket = SocketTestClient(server.port, headers: phone.cookie)
        #expect(socket.isServed())
        #expect(try PairedClients(path: path).revoke(phone.id))
        #expect(socket.receive()?.opcode == SocketTestClient.close)
        #expect(!mayRead(server, phone.cookie))
    }

    @Test func rolesCanBeChanged() throws {
        let server = try server()
        let phone = try pair(server, "view")
        #expect(
            Answer.get(server.port, "/pairing/clients", phone.cookie)?.text
                == "{\"clients\":[],\"devices\":[],\"possible\":false,\"role\":\"view\"}")
        #expect(Answer.get(server.port, "/pairing/clients")?.status == 401)
        #expect(post(server, "/pairing/offer", "{\"role\":\"control\"}", phone.cookie)?.status == 403)
        #expect(post(server, "/pairing/role", "{\"id\":\"\(phone.id)\",\"role\":\"control\"}", phone.cookie)?.status == 403)
        #expect(post(server, "/pairing/role", "{\"id\":\"\(phone.id)\",\"role\":\"control\"}", Self.control)?.status == 204)
        #expect(post(server, "/pairing/role", "{\"id\":\"\(phone.id)\",\"role\":\"king\"}", Self.control)?.status == 400)
        let list = try #require(Answer.get(server.port, "/pairing/devices", phone.cookie))
        let devices = try #require(list.json["devices"] as? [[String: Any]])
        #expect(list.status == 200 && devices.count == 1 && devices[0]["own"] as? Bool == true)
        #expect(devices[0]["role"] as? String == "control" && devices[0]["name"] as? String == "Phone")
        #expect(!list.text.contains("digest"))
    }

    @Test func aCodeForAPhoneOpensThePhonePage() throws {
        let server = try server()
        let answer = try #require(post(server, "/pairing/offer", "{\"role\":\"control\",\"page\":\"phone\"}", Self.control))
        #expect((answer.json["url"] as? String)?.hasPrefix("http://127.0.0.1:\(server.port)/phone#pair=") == true)
        #expect(post(server, "/pairing/offer", "{\"role\":\"control\",\"page\":\"x\"}", Self.control)?.status == 400)
    }

    @Test func onlyControllersOfTheSameSiteMakeCodes() throws {
        let server = try server()
        let view = ["Authorization": "Bearer \(AccessTests.tokens.view)"]
        for headers in [[:], view, Self.control.merging(["Origin": "http://evil.example"]) { $1 }] {
            let answer = try #require(post(server, "/pairing/offer", "{\"role\":\"control\"}", headers))
            #expect((401...403).contains(answer.status) && !answer.text.contains("pair="))
        }
        #expect(post(server, "/pairing", "{\"token\":\"\(try offer(server))\"}", ["Origin": "http://evil.example"])?.status == 403)
        for body in ["{}", "{\"role\":1}", "[]", "{\"role\":\"control\"", String(repeating: "[", count: 1000)] {
            #expect(post(server, "/pairing/offer", body, Self.control)?.status == 400, "\(body.prefix(20))")
        }
        let alone = try TestServer(clients: path)
        #expect(post(alone, "/pairing/offer", "{\"role\":\"view\"}")?.status == 404)
        #expect(Answer.get(alone.port, "/pairing/devices")?.json["possible"] as? Bool == false)
    }

    @Test func aQRCodeIsDrawnLikeTheLibraryEncodesIt() throws {
        let server = try server()
        let answer = try #require(post(server, "/pairing/offer", "{\"role\":\"view\"}", Self.control))
        let rows = try #require(answer.json["code"] as? [String])
        #expect(rows.count >= 29 && (rows.count - 17) % 4 == 0 && rows.allSatisfy { $0.count == rows.count })
        // The three finder patterns of ISO/IEC 18004, and the light lines around them.
        for row in [rows[0], rows[6]] { #expect(row.hasPrefix("11111110") && row.hasSuffix("01111111") || row == rows[6]) }
        #expect(rows[1].hasPrefix("10000010") && rows[7].hasPrefix("00000000") && rows.last!.hasPrefix("11111110"))
        #expect(QRCode(String(repeating: "x", count: 5000)) == nil)
    }

    @Test func aPairedClientMaySendOSCFromItsAddress() throws {
        let (admission, address) = (OSCAdmission(), NetworkAddress(host: "192.0.2.9")!)
        #expect(!admission.admits(address))
        admission.admit(address, client: "a")
        admission.admit(address, client: "b")
        #expect(admission.admits(address) && !admission.admits(NetworkAddress(host: "192.0.2.8")!))
        admission.dismiss(client: "a")
        #expect(admission.admits(address))
        admission.dismiss(client: "b")
        #expect(!admission.admits(address))
    }
}
