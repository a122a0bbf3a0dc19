/// Connections of the pages of a listening test's participant: sends the state that a participant may see, and receives answers.
///
/// Nothing else reaches them over this socket: no parameters, no telemetry.
public final class ParticipantService {
    /// Handles a message; returns the reason to refuse it, if any.
    public var receive: (_ bytes: [UInt8]) -> String? = { _ in nil }
    /// The present view, a JSON object, for pages that connect later.
    public var view = "{}"
    /// Whether a test runs, whose results must not be read yet.
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
