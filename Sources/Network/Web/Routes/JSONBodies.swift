internal import Files
internal import Foundation
internal import Hub

/// Reads bodies that are short JSON objects, and answers them when they are complete.
final class JSONBodies: LaterAnswers {
    /// Bytes of the longest body.
    static let longest = 1024

    private struct Body {
        let form: String
        let answer: (_ body: [UInt8], Sender) throws -> Response?
        let sender: Sender
        var bytes: [UInt8] = []
    }

    private let hub: Hub
    private let folders: HiddenFolders
    private var bodies: [Connection: Body] = [:]

    /// - Parameter folders: hidden from clients that may not control.
    init(_ hub: Hub, _ folders: HiddenFolders) { (self.hub, self.folders) = (hub, folders) }

    /// nil for a body that is not a JSON object with these members.
    static func decode<Content: Decodable>(_ body: [UInt8]) -> Content? { try? JSONDecoder().decode(Content.self, from: Data(body)) }

    /// Begins to read a body.
    /// - Returns: the answer when the request is refused.
    func begin(_ exchange: Exchange, form: String, _ answer: @escaping (_ body: [UInt8], Sender) throws -> Response?) -> Response? {
        let request = exchange.request
        guard let length = request.contentLength, length > 0 else {
            return .text(411, "a Content-Length header is needed; the body is \(form)")
        }
        guard length <= Self.longest else { return .text(413, "the body is longer than \(Self.longest) bytes; expected \(form)") }
        let sender = Sender(connection: exchange.connection, host: request.host, mayControl: exchange.mayControl)
        bodies[exchange.connection] = Body(form: form, answer: answer, sender: sender)
        return nil
    }

    func receive(_ connection: Connection, _ data: UnsafeRawBufferPointer) -> Bool {
        guard let count = bodies[connection]?.bytes.count, count + data.count <= Self.longest else { return false }
        bodies[connection]?.bytes.append(contentsOf: data)
        return true
    }

    func finish(_ connection: Connection) -> Response? {
        guard let body = bodies.removeValue(forKey: connection) else { return nil }
        do {
            return try body.answer(body.bytes, body.sender) ?? .text(400, "the body is not valid; expected \(body.form)")
        } catch {
            hub.notice("\(error)")
            return .text(500, body.sender.mayControl ? "\(error)" : folders.text("\(error)"))
        }
    }

    func remove(_ connection: Connection) { bodies[connection] = nil }
}
