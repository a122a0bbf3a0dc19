import Testing

@testable import Device

/// Connections of a JACK client that users change, while servers, cards and other clients come and go; without a server.
@Suite struct JACKConnectionsTests {
    private typealias Wire = JACKConnections.Wire

    /// A server with cycles of 5 ms.
    private struct Server {
        var connections = JACKConnections()
        var wires: Set<Wire> = []
        var others: [String: JACKConnections.Other] = ["system:1": .physical, "system:2": .physical, "mixer:in": .virtual]
        var now: UInt64 = 1_000_000_000

        var cards: [String] { others.filter { $0.value == .physical }.map(\.key).sorted() }

        /// Cycles in which the client routes its port and follows.
        mutating func run(_ cycles: Int = 1, channel: Int? = 1) {
            for _ in 0..<cycles {
                now += 5_000_000
                wires = wires.filter { others[$0.other] != nil }
                let (old, new) = connections.route("left", to: channel, of: cards)
                if let old { wires.remove(old) }
                if let new, others[new.other] != nil { wires.insert(new) }
                for wire in connections.follow(wires, now: now, look: look) { wires.insert(wire) }
            }
        }

        var look: (String) -> JACKConnections.Other { { [others] in others[$0] ?? .absent } }
        var waiting: [String] { connections.waiting(look: look).map(\.other) }
        var left: [String] { wires.filter { $0.port == "left" }.map(\.other).sorted() }

        mutating func connect(_ other: String) { wires.insert(Wire(port: "left", other: other)) }
        mutating func disconnect(_ other: String) { wires.remove(Wire(port: "left", other: other)) }

        /// The server ends and comes back with these ports.
        mutating func restart(without absent: String...) -> [String: JACKConnections.Other] {
            let left = others.filter { absent.contains($0.key) }
            for name in absent { others[name] = nil }
            wires = []
            connections.begin()
            return left
        }
    }

    private var server = Server()

    @Test mutating func theCardIsConnectedOnce() {
        server.run(3)
        #expect(server.left == ["system:1"])
        server.disconnect("system:1")
        server.run(50)
        #expect(server.left.isEmpty)
        _ = server.restart()
        server.run(50)
        #expect(server.left.isEmpty && server.waiting.isEmpty)
    }

    @Test mutating func aPatchIsRestored() {
        server.run(3)
        server.connect("mixer:in")
        server.disconnect("system:1")
        server.run(50)
        _ = server.restart()
        server.run()
        #expect(server.left == ["mixer:in"])
        let mixer = server.restart(without: "mixer:in")
        server.run(500)
        #expect(server.left.isEmpty && server.waiting == ["mixer:in"])
        server.others.merge(mixer) { $1 }
        server.run(2)
        #expect(server.left == ["mixer:in"] && server.waiting.isEmpty)
    }

    /// A user changes connections and the server ends at once.
    @Test mutating func theLastMomentCounts() {
        server.run(3)
        server.connect("mixer:in")
        server.run()
        server.disconnect("system:1")
        server.run()
        _ = server.restart()
        server.run()
        #expect(server.left == ["mixer:in"])
        // The mixer ends together with the server.
        let mixer = server.others
        server.others["mixer:in"] = nil
        server.run(3)
        _ = server.restart()
        server.others = mixer
        server.run()
        #expect(server.left == ["mixer:in"])
    }

    @Test mutating func anotherConnectionEndsTheWait() {
        server.run(3)
        server.connect("mixer:in")
        server.disconnect("system:1")
        server.run(50)
        for isConnected in [true, false] {
            let before = server
            let mixer = server.restart(without: "mixer:in")
            server.run(3)
            if isConnected {
                // A program that listens in changes nothing; the card does.
                server.others["meter:in"] = .virtual
                server.connect("meter:in")
                server.run(3)
                #expect(server.waiting == ["mixer:in"])
                server.connect("system:2")
            } else {
                server.others["meter:in"] = .virtual
                server.connect("meter:in")
                server.run(3)
                server.disconnect("meter:in")
            }
            server.run(50)
            #expect(server.waiting.isEmpty)
            server.others.merge(mixer) { $1 }
            server.run(50)
            #expect(!server.left.contains("mixer:in"))
            server = before
        }
    }

    /// A card that leaves and returns gets what it had.
    @Test mutating func aCardThatReturns() {
        server.run(3)
        server.connect("system:2")
        server.run(3)
        let cards = server.restart(without: "system:1", "system:2")
        server.run(500)
        #expect(server.left.isEmpty && server.waiting == ["system:2"])
        server.others.merge(cards) { $1 }
        server.run(3)
        #expect(server.left == ["system:1", "system:2"])
        server.disconnect("system:1")
        server.run(50)
        (server.others["system:1"], server.others["system:2"]) = (nil, nil)
        server.run(500)
        server.others.merge(cards) { $1 }
        server.run(3)
        #expect(server.left == ["system:2"])
    }

    /// A client that leaves while the server runs takes its connections with it.
    @Test mutating func aClientThatLeaves() {
        server.run(3)
        server.connect("mixer:in")
        server.run(3)
        let mixer = server.others
        server.others["mixer:in"] = nil
        server.run(500)
        server.others = mixer
        server.run(50)
        #expect(server.left == ["system:1"])
    }

    @Test mutating func channelsAreChosen() {
        server.run(3)
        server.run(3, channel: 2)
        #expect(server.left == ["system:2"])
        server.connect("mixer:in")
        server.disconnect("system:2")
        server.run(50, channel: 2)
        #expect(server.left == ["mixer:in"])
        server.run(3, channel: nil)
        #expect(server.left == ["mixer:in"])
        server.run(3, channel: 3)
        #expect(server.left == ["mixer:in"])
        // The channel comes for the first time.
        server.others["system:3"] = .physical
        server.run(3, channel: 3)
        #expect(server.left == ["mixer:in", "system:3"])
        // While there is no server.
        _ = server.restart()
        server.run(3, channel: 1)
        #expect(server.left == ["mixer:in", "system:1"])
    }

    /// The channel belongs to another port after cards have changed; an ear that a user has patched elsewhere stays there.
    @Test mutating func cardsThatMove() {
        server.run(3)
        server.others["card:1"] = .physical
        server.run(3)
        #expect(server.left == ["card:1"])
        server.connect("mixer:in")
        server.disconnect("card:1")
        server.run(50)
        server.others["card:1"] = nil
        server.run(50)
        #expect(server.left == ["mixer:in"])
    }
}
