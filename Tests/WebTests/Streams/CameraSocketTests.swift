import Foundation
import Streaming
import TestSupport
import Testing

@testable import Cameras
@testable import Web

@Suite struct CameraSocketTests {
    private func say(_ client: SocketTestClient, _ text: String) { client.send(SocketTestClient.text, Array(text.utf8)) }

    /// The next message of a type; nil after a minute, also when others come all the time, or when a frame is no JSON object.
    private func next(_ type: String, of client: SocketTestClient) -> [String: Any]? {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end, let frame = client.receive() {
            guard let message = try? JSONSerialization.jsonObject(with: Data(frame.payload)) as? [String: Any] else { return nil }
            if message["type"] as? String == type { return message }
        }
        return nil
    }

    private func join(_ server: TestServer, _ name: String) throws -> (client: SocketTestClient, hello: [String: Any]) {
        var client = SocketTestClient(server.port, "/camera/peers")
        var hello: [String: Any]?
        // A machine that stalls for five seconds before hello loses the connection, and makes another one.
        for attempt in 0..<10 where hello == nil {
            if attempt > 0 { client = SocketTestClient(server.port, "/camera/peers") }
            say(client, "{\"type\":\"hello\",\"version\":1,\"name\":\"\(name)\",\"decodes\":[\"vp8\"]}")
            hello = next("hello", of: client)
        }
        return (client, try #require(hello))
    }

    /// Numbers of connections restart with every run; identities that a sender has named must not.
    @Test func identitiesOfAnotherRunAreOthers() throws {
        let runs = try (0..<2).map { _ in
            let (_, hello) = try join(TestServer(), "A")
            let (peer, identity) = (try #require(hello["peer"] as? Int), try #require(hello["identity"] as? String))
            #expect(identity.hasPrefix("connection \(peer)-"))
            return try #require(identity.split(separator: "-").last)
        }
        #expect(Set(runs).count == 2)
    }

    @Test func absurdTimesAreRefusedAndNoMessageIsEmpty() throws {
        let server = try TestServer()
        let (sender, hello) = try join(server, "Sender")
        let (receiver, _) = try join(server, "Receiver")
        say(sender, #"{"type":"update","source":"camera","codecs":["vp8"],"admit":"everyone"}"#)
        // Messages of two connections may be handled in any order: the offer has to be there.
        var isOffered = false
        while !isOffered {
            let peers = try #require(next("update", of: receiver)?["peers"] as? [[String: Any]])
            isOffered = peers.contains { $0["offer"] != nil }
        }
        say(receiver, "{\"type\":\"start\",\"sender\":\(try #require(hello["peer"] as? Int))}")
        // Fifteen answers complete a burst, by which the engine sets its idea of the clock.
        for _ in 0..<15 {
            let id = try #require(next("time", of: receiver)?["id"] as? Int)
            say(receiver, "{\"type\":\"time\",\"id\":\(id),\"received\":1.7e308,\"answered\":1.7e308}")
            let question = try #require(next("time", of: sender)?["id"] as? Int)
            say(sender, "{\"type\":\"time\",\"id\":\(question),\"received\":-1.7e308,\"answered\":-1.7e308}")
        }
        // There is no link without its receiver.
        withExtendedLifetime(receiver) {
            for _ in 0..<4 { #expect(next("links", of: sender)?["links"] != nil) }
            #expect(server.until { _, server in server.cameras.figures.refusals[.form] == 30 })
        }
    }

    @Test func aMessageThatJSONCannotExpressIsNone() {
        var answer = CameraAnswer("links")
        answer.links = [
            .init(
                link: 1, sender: 1, receiver: 2, open: true, bitrate: 0, width: 0, height: 0, frames: 0, skipped: 0, late: 0, waiting: 0,
                trip: .infinity, slope: 0, step: 0, offset: nil)
        ]
        #expect(answer.frame == nil)
        #expect(CameraAnswer("key").frame?.count == #"{"type":"key"}"#.utf8.count)
    }

    /// A list of all peers after each of many changes would multiply them.
    @Test func changesInAHurryMakeFewLists() throws {
        let server = try TestServer()
        let (flooder, hello) = try join(server, "Flooder")
        let (watcher, _) = try join(server, "Watcher")
        let begun = ContinuousClock.now
        for number in 1...200 {
            let admission = number.isMultiple(of: 2) ? "ask" : "everyone"
            let sound = number == 200
            say(
                flooder,
                "{\"type\":\"update\",\"source\":\"camera\",\"sound\":\(sound),\"codecs\":[\"vp8\"],\"admit\":\"\(admission)\"}")
        }
        // The last state comes, however fast the changes were.
        var (lists, hasLast) = (0, false)
        while !hasLast {
            let peers = try #require(next("update", of: watcher)?["peers"] as? [[String: Any]])
            lists += 1
            let offer = peers.first { $0["peer"] as? Int == hello["peer"] as? Int }?["offer"] as? [String: Any]
            hasLast = offer?["sound"] as? Bool == true
        }
        let took = ContinuousClock.now - begun
        #expect(lists <= 3 + Int(took / .milliseconds(100)))
    }

    @Test func aConnectionWithoutHelloGivesItsPlaceBack() throws {
        let server = try TestServer()
        let begun = ContinuousClock.now
        let silent = SocketTestClient(server.port, "/camera/peers")
        let (speaking, _) = try join(server, "Speaking")
        var frame = silent.receive()
        while let received = frame, received.opcode != SocketTestClient.close { frame = silent.receive() }
        let close = try #require(frame)
        // Status 1008.
        #expect(close.payload.prefix(2) == [0x03, 0xF0])
        #expect(String(decoding: close.payload.dropFirst(2), as: UTF8.self) == "no hello within 5 s")
        #expect(ContinuousClock.now - begun > .seconds(4))
        #expect(server.until { _, server in server.cameras.figures.peers == 1 })
        #expect(speaking.isServed())
    }
}
