internal import FileOutput
internal import Hub
internal import ListenerStreams
internal import Streaming
package import Web

/// Cameras between browsers: the peers at `/camera/peers`, and the relay between them. Used on the loop only; it moves bytes and decodes
/// nothing, so that its work per message is small.
public final class CameraService {
    /// Milliseconds between two checks of the links, and between two reports about them.
    private static let (interval, report) = (20, 500.0)
    /// Milliseconds between two lists of the peers, so that many changes do not lead to as many messages to each peer.
    private static let rosterPause = 100.0

    /// Calls a function at intervals of a number of milliseconds.
    private let every: (_ milliseconds: Int, _ action: @escaping () -> Void) -> Void
    /// Most peers at once; 0 for none.
    private let most: Int
    var relay = CameraRelay<WireFrame>()
    let receivers = CameraReceivers()
    private var clients: [Int: CameraClient] = [:]
    private var hasTimer = false
    private var reported = 0.0
    /// Time of the last list of peers, and whether something has changed since.
    private var roster = (sent: -Double.infinity, isDue: false)
    /// Distinguishes connections of this run from those of another with the same number.
    private let run = RandomName.make()
    /// Names of paired clients by id.
    let names: () -> [String: String]

    /// - Parameters:
    ///   - most: peers at once; 0 for none.
    ///   - hears: whether the engine has objects that can sound microphones.
    ///   - names: of paired clients by id.
    ///   - every: calls a function on the loop, at intervals of a number of milliseconds.
    init(
        most: Int, hears: Bool, names: @escaping () -> [String: String] = { [:] },
        every: @escaping (_ milliseconds: Int, _ action: @escaping () -> Void) -> Void
    ) {
        (self.most, self.names, self.every) = (most, names, every)
        if hears, most > 0 { joinReceivers() }
    }

    /// Cameras of a server's clients.
    /// - Parameters: as above.
    package convenience init(most: Int, hears: Bool, on web: WebServer) {
        self.init(
            most: most, hears: hears, names: { [unowned web] in web.pairedNames }, every: { [unowned web] in web.loop.every($0, $1) })
    }

    /// The answer to an upgrade that is refused; nil to grant it.
    var refusal: Response? {
        if most == 0 { return .text(404, "cameras are turned off at this engine (serve --cameras 0)") }
        if clients.count < most { return nil }
        return .text(503, "\(most == 1 ? "1 browser exchanges" : "\(most) browsers exchange") cameras already; try again later")
    }

    var now: Double { AudioStreams.milliseconds }

    // MARK: Clients

    func add(_ client: CameraClient) {
        clients[client.number] = client
        guard !hasTimer else { return }
        hasTimer = true
        every(Self.interval) { [unowned self] in tick() }
    }

    func remove(_ client: CameraClient) {
        clients[client.number] = nil
        relay.leave(client.number)
        hideStills(of: client.number)
        settle()
    }

    func join(_ client: CameraClient, name: String, decodes: Set<RelayCodec>) {
        let identity = client.pairedClient ?? "connection \(client.number)-\(run)"
        let paired = client.pairedClient.flatMap { names()[$0] }
        relay.join(
            client.number, identity: identity, isPaired: client.pairedClient != nil,
            name: paired ?? (name.isEmpty ? "Browser \(client.number)" : name), decodes: decodes)
        var hello = CameraAnswer("hello")
        (hello.version, hello.peer, hello.identity, hello.largest) = (CameraMessage.version, client.number, identity, RelayFrame.largest)
        client.tell(hello)
    }

    func count(_ refusal: RelayRefusal) { relay.count(refusal) }

    // MARK: Messages

    func handle(_ client: CameraClient, _ message: CameraMessage) throws(RelayRefusal) {
        let peer = client.number
        switch message {
        case .update(let offer):
            let before = relay.offer(of: peer)
            try relay.offer(peer, offer, now: now)
            // The offer may admit fewer peers than before.
            hideStills(of: peer)
            receivers.isDue = true
            if before?.admission != offer.admission || before?.named != offer.named { receivers.forgive(peer, isPardoned: false) }
        case .start(let sender):
            if case .asked(let link) = try relay.start(peer, from: sender, now: now) {
                client.tell(.started(link, sender: sender, isOpen: false))
            }
        case .allow(let link): try relay.admit(peer, link: link, now: now)
        case .deny(let link): try relay.deny(peer, link: link, now: now)
        case .pardon(let other):
            try relay.pardon(peer, peer: other)
            if other == CameraReceivers.peer { receivers.forgive(peer, isPardoned: true) }
        case .stop(let link?): try relay.stop(peer, link: link)
        case .stop(nil):
            try relay.withdraw(peer)
            hideStills(of: peer)
        case .key(let link): try relay.askForKey(peer, link: link, now: now)
        case .links(let all):
            guard client.mayControl else { throw RelayRefusal(.permission, "only logins that may control see the links of others") }
            client.seesAllLinks = all
        case .hello, .time: break
        }
    }

    func push(_ client: CameraClient, _ frame: RelayFrame, _ bytes: [UInt8]) throws(RelayRefusal) {
        if frame.kind != .sound { client.confirm(frame.number) }
        try relay.push(client.number, frame, bytes: bytes.count, now: now) { stamped(bytes, client) }
    }

    /// Sends a small picture to the peers that may see it.
    func show(_ client: CameraClient, _ still: RelayStill, _ bytes: [UInt8]) throws(RelayRefusal) {
        let receivers = try relay.still(client.number, still, now: now)
        guard !receivers.isEmpty else { return }
        let frame = stamped(bytes, client)
        for receiver in receivers { clients[receiver]?.show(frame, of: client.number) }
    }

    private func hideStills(of sender: Int) { for client in clients.values { client.hide(sender) } }

    /// A frame with the number of its sender.
    private func stamped(_ bytes: [UInt8], _ client: CameraClient) -> WireFrame {
        var stamped = bytes
        let number = UInt32(truncatingIfNeeded: client.number)
        for index in 0..<4 { stamped[RelayFrame.senderOffset + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        return WireFrame(binary: stamped)
    }

    func note(_ client: CameraClient, _ receipt: RelayReceipt) throws(RelayRefusal) {
        try relay.note(client.number, receipt, now: now)
    }

    func hasFrame(for peer: Int) -> Bool { relay.hasFrame(for: peer) }

    func nextFrame(for peer: Int) -> WireFrame? { relay.take(for: peer, now: now) }

    func skipped(for peer: Int) -> Int {
        relay.readings(of: peer, now: now).reduce(0) { $0 + ($1.receiver == peer ? $1.skipped : 0) }
    }

    // MARK: Events

    /// Notifies the peers, including the engine, of events in the relay.
    func settle() {
        tellEvents()
        if receivers.isDue {
            connectEars()
            tellEvents()
        }
        tellRoster()
    }

    private func tellEvents() {
        for event in relay.takeEvents() {
            switch event {
            case .roster: (roster.isDue, receivers.isDue) = (true, true)
            case .asked(let link, let sender, let receiver): tell(link, sender, receiver, isOpen: false)
            case .opened(let link, let sender, let receiver): tell(link, sender, receiver, isOpen: true)
            case .closed(let link, let sender, let receiver, let reason):
                for peer in [sender, receiver] { clients[peer]?.tell(.stopped(link, reason)) }
                clients[receiver]?.hide(sender)
                roster.isDue = true
                if receiver == CameraReceivers.peer { endEars(sender, reason) }
            case .key(let sender): clients[sender]?.tell(CameraAnswer("key"))
            case .strategy(let sender, let strategy, let codec): clients[sender]?.tell(.strategy(strategy, codec))
            case .frames(let receiver): if receiver == CameraReceivers.peer { takeSound() } else { clients[receiver]?.flush() }
            }
        }
    }

    /// Notifies both ends of a link of its beginning.
    private func tell(_ link: Int, _ sender: Int, _ receiver: Int, isOpen: Bool) {
        let isEngine = receiver == CameraReceivers.peer
        clients[sender]?.tell(.started(link, receiver: receiver, isOpen: isOpen, hasPictures: !isEngine))
        clients[receiver]?.tell(.started(link, sender: sender, isOpen: isOpen))
        roster.isDue = true
        if isEngine { noteEars(link, sender: sender, isOpen: isOpen) }
    }

    /// Sends the list of peers after a change, unless one has just been sent; then the next periodic check sends it.
    private func tellRoster() {
        let now = now
        guard roster.isDue, now - roster.sent >= Self.rosterPause, let frame = CameraAnswer.roster(relay.roster).frame else { return }
        roster = (now, false)
        for client in clients.values where client.hasSaidHello { client.tellRoster(frame) }
    }

    private func tick() {
        guard !clients.isEmpty else { return }
        let now = now
        for client in clients.values { client.tick(now) }
        relay.tick(now: now)
        receivers.tick(now: now)
        settle()
        guard now - reported >= Self.report else { return }
        reported = now
        for client in clients.values where client.hasSaidHello { report(client, now) }
    }

    /// Sends a peer the measurements of its links, or of all.
    private func report(_ client: CameraClient, _ now: Double) {
        let readings = relay.readings(of: client.seesAllLinks ? nil : client.number, now: now)
        guard !readings.isEmpty || client.seesAllLinks else { return }
        var answer = CameraAnswer("links")
        answer.links = readings.map(link)
        client.tell(answer)
    }

    private func link(_ reading: RelayReading) -> CameraAnswer.Link {
        func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
        var offset: Double?
        if let receiver = clients[reading.receiver]?.clockOffset, let sender = clients[reading.sender]?.clockOffset {
            offset = tenths(receiver - sender)
        }
        return CameraAnswer.Link(
            link: reading.link, sender: reading.sender, receiver: reading.receiver, open: reading.isOpen, bitrate: reading.bitrate,
            width: reading.width, height: reading.height,
            frames: reading.frames, skipped: reading.skipped, late: reading.late, waiting: reading.waiting, trip: tenths(reading.trip),
            slope: tenths(reading.slope), step: reading.step, offset: offset)
    }

    /// State of the relay for metrics.
    var figures: Figures {
        let counts = relay.counts
        return Figures(
            peers: clients.count, open: counts.open, asking: counts.asking, frames: relay.totals.frames, bytes: relay.totals.bytes,
            skipped: relay.skipped, refusals: relay.refusals, sound: receivers.counts)
    }

    struct Figures {
        let peers: Int
        let open: Int
        let asking: Int
        let frames: Int
        let bytes: Int
        let skipped: Int
        let refusals: [RelayRefusal.Kind: Int]
        let sound: VoiceCounts
    }
}
