internal import Foundation
internal import Web

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
