internal import Foundation
internal import Web

/// Connections of the pages of a listening test's participant: sends the state that a participant may see, and receives answers.
///
/// Nothing else reaches them over this socket: no parameters, no telemetry.
public final class ParticipantService {
    /// Handles a message; returns the reason to refuse it, if any.
    public var receive: (_ bytes: [UInt8]) -> String? = { _ in nil }
    /// The present view, a JSON object, for pages that connect later.
    public var view = "{}"
    /// Whether a test runs; its results must not be read yet.
    public var isBlind: () -> Bool = { false }
    package init() {}

    private var clients: [ObjectIdentifier: ParticipantClient] = [:]

    /// Shows a view on every page.
    public func show(_ view: String) {
        self.view = view
        for client in clients.values { client.show(view) }
    }

    /// Shows the position in the passage on every page.
    /// - Parameter position: seconds.
    public func show(position: Double) { for client in clients.values { client.show(position: position) } }

    func join(_ client: ParticipantClient) {
        clients[ObjectIdentifier(client)] = client
        client.show(view)
    }

    func leave(_ client: ParticipantClient) { clients[ObjectIdentifier(client)] = nil }
}

/// The page of a listening test's participant. A newer view or position replaces an older one that has not been sent.
final class ParticipantClient: SocketClient {
    private struct Problem: Encodable { let problem: String }

    let kind = "participant"
    let dropped = 0
    private let service: ParticipantService
    private let wake: () -> Void
    private var view: String?
    private var position: Double?
    private var problem: String?

    /// - Parameter wake: requests a call of ``nextFrame()`` when the socket is writeable.
    init(_ service: ParticipantService, wake: @escaping () -> Void) {
        self.service = service
        self.wake = wake
        service.join(self)
    }

    func close() { service.leave(self) }

    func show(_ view: String) {
        self.view = view
        wake()
    }

    func show(position: Double) {
        self.position = position
        wake()
    }

    var hasMore: Bool { view != nil || position != nil || problem != nil }

    func nextFrame() -> WireFrame? {
        if let view = view.take() { return WireFrame(text: "{\"view\":\(view)}") }
        if let problem = problem.take() {
            return WireFrame(text: String(decoding: (try? JSONEncoder().encode(Problem(problem: problem))) ?? Data(), as: UTF8.self))
        }
        return position.take().map { WireFrame(text: "{\"position\":\($0)}") }
    }

    func notify(_ text: String) {
        problem = text
        wake()
    }

    func receive(_ bytes: [UInt8], isText: Bool) {
        let reason = isText ? service.receive(bytes) : "the message is not valid"
        if let reason { notify(reason) }
    }
}
