internal import ListenerStreams
internal import Streaming
internal import Web

/// A peer of the camera relay: one WebSocket at `/camera/peers`.
package final class CameraClient: SocketClient {
    /// Messages to the client that may wait.
    private static let mostTexts = 64
    /// Milliseconds in which a peer gets at most this many warnings; further ones are only counted.
    private static let (interval, mostWarnings) = (1000.0, 8)
    /// Milliseconds within which hello has to arrive, since every connection takes one of the relay's places.
    private static let patience = 5000.0

    let kind = "camera"
    /// Number of the peer.
    let number: Int
    /// Id of the paired client; nil for others.
    let pairedClient: String?
    /// Whether its login may control, and so may see all links.
    let mayControl: Bool
    /// Whether it receives measurements of all links.
    var seesAllLinks = false
    private let service: CameraService
    private let wake: () -> Void
    private weak var connection: SocketConnection?
    /// Time until which the peer has to say hello; nil once it has, or when the connection is being ended.
    private var deadline: Double?
    private var texts: [WireFrame] = []
    private var roster: WireFrame?
    /// Number of the newest picture that has arrived, until the client is informed.
    private var arrived: UInt32?
    /// The newest small picture of each sender that has not been sent yet.
    private var stills: [Int: WireFrame] = [:]
    private var warned = (since: -Double.infinity, count: 0, unsaid: 0)
    private var probe = LinkProbe()
    private(set) var hasSaidHello = false

    /// - Parameter wake: requests a call of ``nextFrame()`` when the socket is writeable.
    init(_ service: CameraService, number: Int, pairedClient: String?, mayControl: Bool, wake: @escaping () -> Void) {
        self.service = service
        self.number = number
        self.pairedClient = pairedClient
        self.mayControl = mayControl
        self.wake = wake
        deadline = AudioStreams.milliseconds + Self.patience
        service.add(self)
    }

    func open(_ connection: SocketConnection) { self.connection = connection }

    func close() { service.remove(self) }

    var dropped: Int { service.skipped(for: number) }

    /// The client's clock minus the engine's, milliseconds; nil until it is known.
    var clockOffset: Double? { probe.clockOffset }

    // MARK: Out

    func tell(_ answer: CameraAnswer) { answer.frame.map(send) }

    private func send(_ text: WireFrame) {
        if texts.count == Self.mostTexts { texts.removeFirst() }
        texts.append(text)
        wake()
    }

    /// Sends the newest list of peers.
    func tellRoster(_ frame: WireFrame) {
        roster = frame
        wake()
    }

    /// Confirms the arrival of a picture, whether or not it is used; of several only the newest.
    func confirm(_ number: UInt32) {
        arrived = number
        wake()
    }

    /// Sends the newest small picture of a sender.
    func show(_ still: WireFrame, of sender: Int) {
        stills[sender] = still
        wake()
    }

    /// Drops a small picture that was not sent: its sender has gone, or no longer shows it to this peer.
    func hide(_ sender: Int) { stills[sender] = nil }

    func flush() { wake() }

    var hasMore: Bool { !texts.isEmpty || roster != nil || arrived != nil || !stills.isEmpty || service.hasFrame(for: number) }

    func nextFrame() -> WireFrame? {
        if !texts.isEmpty { return texts.removeFirst() }
        if let number = arrived.take() {
            var answer = CameraAnswer("arrived")
            answer.picture = Int(number)
            return answer.frame
        }
        return roster.take() ?? service.nextFrame(for: number) ?? stills.popFirst()?.value
    }

    func notify(_ text: String) { warn(RelayRefusal(.limit, text)) }

    func refuseLongMessage() { service.count(RelayRefusal(.size, "a message is longer than \(RelayFrame.largest) bytes")) }

    private func warn(_ refusal: RelayRefusal, about message: CameraMessage? = nil) {
        service.count(refusal)
        let now = AudioStreams.milliseconds
        if now - warned.since > Self.interval { warned = (now, 0, warned.unsaid) }
        warned.unsaid += 1
        guard warned.count < Self.mostWarnings else { return }
        var (about, sender, link): (String?, Int?, Int?)
        switch message {
        case .start(let number): (about, sender) = ("start", number)
        case .allow(let number): (about, link) = ("allow", number)
        case .deny(let number): (about, link) = ("deny", number)
        case .stop(let number): (about, link) = ("stop", number)
        case .key(let number): (about, link) = ("key", number)
        case .pardon: about = "pardon"
        case .update: about = "update"
        case .links: about = "links"
        case .hello: about = "hello"
        case .time, nil: break
        }
        tell(.warning(refusal, about: about, sender: sender, link: link, count: warned.unsaid))
        warned = (warned.since, warned.count + 1, 0)
    }

    // MARK: In

    func receive(_ bytes: [UInt8], isText: Bool) {
        var message: CameraMessage?
        do throws(RelayRefusal) {
            if isText {
                let read = try CameraMessage(bytes)
                message = read
                try handle(read)
            } else if bytes.first == RelayReceipt.mark {
                try service.note(self, RelayReceipt(bytes))
            } else if bytes.first == RelayStill.mark {
                try service.show(self, RelayStill(bytes), bytes)
            } else {
                try service.push(self, RelayFrame(bytes), bytes)
            }
        } catch {
            warn(error, about: message)
        }
        service.settle()
    }

    private func handle(_ message: CameraMessage) throws(RelayRefusal) {
        switch message {
        case .time(let id, let received, let answered):
            probe.answer(id, received: received, answered: answered, now: AudioStreams.milliseconds)
        case .hello(let name, let decodes):
            guard !hasSaidHello else { throw RelayRefusal(.order, "hello may be sent only once, at the beginning") }
            hasSaidHello = true
            deadline = nil
            service.join(self, name: name, decodes: decodes)
        default: try service.handle(self, message)
        }
    }

    /// Asks for the peer's time when that is due; ends a connection that has not said hello in time.
    func tick(_ now: Double) {
        if let deadline, now > deadline {
            self.deadline = nil
            connection?.end(.silent)
        }
        guard hasSaidHello else { return }
        if let id = probe.question(now) {
            var question = CameraAnswer("time")
            question.id = id
            tell(question)
        }
        _ = probe.finish(now)
    }
}
