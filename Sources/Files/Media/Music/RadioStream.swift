internal import CConnection

/// Sound from an http:// or https:// address.
// SAFETY: one thread opens and reads; `cancel` alone is for others, and the C code allows that.
final class RadioStream: MusicSource, @unchecked Sendable {
    private let address: String
    private let radio: OpaquePointer
    /// Seconds without an answer after which a connection counts as lost.
    private static let patience: Int32 = 6

    /// - Parameter rate: frames per second of the result.
    init(address: String, rate: Int) {
        self.address = address
        guard let radio = radio_new(Int32(rate)) else { fatalError("out of memory") }
        self.radio = radio
    }

    deinit { radio_free(radio) }

    var warnings: [String] { [] }

    func open() throws(MusicProblem) {
        radio_close(radio)
        var problem = connection_problem()
        guard radio_open(radio, address, Self.patience, &problem) else { throw Self.words(problem) }
    }

    func read(into target: UnsafeMutablePointer<Float>, frames: Int) throws(MusicProblem) -> Int {
        var problem = connection_problem()
        let count = radio_read(radio, target, frames, Self.patience, &problem)
        guard count >= 0 else { throw Self.words(problem) }
        return count
    }

    var isEndless: Bool { radio_is_endless(radio) }

    var title: String {
        // SAFETY: both texts end with a zero, and are copied before the next call.
        let title = StationTitle.title(in: Self.bytes(radio_announcement(radio))) ?? Self.bytes(radio_name(radio))
        return StationTitle.text(title)
    }

    private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
        let bytes = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
        var count = 0
        while bytes[count] != 0 { count += 1 }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    func cancel() { radio_cancel(radio) }

    private static func words(_ problem: connection_problem) -> MusicProblem {
        let text = withUnsafeBytes(of: problem.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return MusicProblem(text: text, isLasting: problem.is_lasting)
    }
}
