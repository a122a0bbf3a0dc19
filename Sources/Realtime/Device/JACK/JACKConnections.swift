internal import Synchronization

/// The connections that a client's ports are to have: those that were made automatically, once, and those of users. Needs no server.
struct JACKConnections {
    /// A connection of one of the client's ports, named without the client, to the port of another client, named with it.
    struct Wire: Hashable, Sendable {
        let port: String
        let other: String
    }

    /// A port of another client.
    enum Other { case absent, virtual, physical }

    private struct State {
        /// Whether the wire was seen since the client was opened and the other port appeared.
        var isMade: Bool
        var isPhysical: Bool
        /// When a wire that was made was found missing, CLOCK_MONOTONIC nanoseconds.
        var missing: UInt64?
        /// Whether the other port was absent at the last check.
        var isAlone = false
    }

    /// What a port was connected to automatically.
    private struct Route {
        /// Counted from 1; nil for none.
        var channel: Int?
        /// nil while the card or client has no such channel.
        var other: String?
    }

    private var wires: [Wire: State] = [:]
    private var routes: [String: Route] = [:]

    /// Nanoseconds after which a missing wire counts as one that a user has taken away: a card that leaves may be disconnected before its
    /// ports are removed.
    private static let shortest: UInt64 = 200_000_000
    /// The same for a wire whose other port has disappeared with its client, as also happens when the server ends.
    private static let longest: UInt64 = 1_000_000_000

    /// Begins with a client that was just opened and has no connections.
    mutating func begin() {
        // A wire that was missing at the end although its other port existed was removed by a user.
        wires = wires.filter { $0.value.missing == nil || $0.value.isAlone }
        for wire in wires.keys { wires[wire] = State(isMade: false, isPhysical: wires[wire]?.isPhysical ?? false) }
    }

    /// Updates the wires from those that the server has.
    ///
    /// - Parameters:
    ///   - present: all wires at present.
    ///   - now: CLOCK_MONOTONIC nanoseconds.
    ///   - look: finds the port of another client.
    /// - Returns: wires to connect now.
    mutating func follow(_ present: Set<Wire>, now: UInt64, look: (String) -> Other) -> [Wire] {
        var wanted: [Wire] = []
        for wire in wires.keys {
            guard var state = wires[wire] else { continue }
            let other = look(wire.other)
            state.isAlone = other == .absent
            if present.contains(wire) {
                (state.isMade, state.missing) = (true, nil)
            } else if !state.isMade {
                if other != .absent { wanted.append(wire) }
            } else if other == .absent, state.isPhysical || routes[wire.port]?.other == wire.other {
                // The wire is made again when the other port returns.
                (state.isMade, state.missing) = (false, nil)
            } else {
                let since = state.missing ?? now
                state.missing = since
                if now > since + (other == .absent ? Self.longest : Self.shortest) {
                    wires[wire] = nil
                    if other != .absent { release(wire.port) }
                    continue
                }
            }
            wires[wire] = state
        }
        for wire in present where wires[wire] == nil {
            let isPhysical = look(wire.other) == .physical
            // A user who connects the port with the card instead no longer waits for another port.
            if isPhysical { release(wire.port) }
            wires[wire] = State(isMade: true, isPhysical: isPhysical)
        }
        return wanted.filter { wires[$0] != nil }.sorted { ($0.port, $0.other) < ($1.port, $1.other) }
    }

    /// Drops the wires that a port still waits for, because a user has changed its connections.
    private mutating func release(_ port: String) {
        for (wire, state) in wires where wire.port == port && !state.isMade { wires[wire] = nil }
    }

    /// Wires that wait for an absent port, except automatic ones, in order.
    func waiting(look: (String) -> Other) -> [Wire] {
        wires.filter { !$0.value.isMade && routes[$0.key.port]?.other != $0.key.other && look($0.key.other) == .absent }
            .map(\.key).sorted { ($0.port, $0.other) < ($1.port, $1.other) }
    }

    /// Routes a port to one of several others, if that is another one than before: because the user has chosen another channel, or the
    /// channel belongs to another port now and the automatic connection is still there.
    ///
    /// - Parameters:
    ///   - channel: counted from 1; nil for none.
    ///   - others: the ports that have the channels.
    /// - Returns: a wire to disconnect and one to connect.
    mutating func route(_ port: String, to channel: Int?, of others: [String]) -> (old: Wire?, new: Wire?) {
        let last = routes[port] ?? Route()
        let other = channel.flatMap { $0 <= others.count ? others[$0 - 1] : nil }
        let isChosen = channel != last.channel
        // A channel that is missing keeps its connection, which is made again when it returns.
        guard isChosen || other != nil && other != last.other else { return (nil, nil) }
        let old = last.other.map { Wire(port: port, other: $0) }
        let hasOld = old.map { wires[$0] != nil } ?? false
        routes[port] = Route(channel: channel, other: other)
        guard isChosen || hasOld || old == nil else { return (nil, nil) }
        if let old { wires[old] = nil }
        let new = other.map { Wire(port: port, other: $0) }
        if let new { wires[new] = State(isMade: false, isPhysical: true) }
        return (hasOld ? old : nil, new)
    }
}

/// The connections of JACK clients as they were last, for clients that are opened again.
public final class JACKWiring: Sendable {
    /// By the name that was asked for: the server adds a number to one that is taken.
    private let clients = Mutex<[String: JACKConnections]>([:])

    public init() {}

    /// Last known connections of a client; none before it was first opened.
    func connections(of client: String) -> JACKConnections { clients.withLock { $0[client] ?? JACKConnections() } }

    /// Remembers the connections of a client.
    func keep(_ connections: JACKConnections, of client: String) { clients.withLock { $0[client] = connections } }
}
