internal import Foundation
internal import Media
internal import Parameters
internal import Rack

/// Impulse responses of convolutions, each read once.
final class ResponseLibrary {
    private let rate: Int
    private var known: [String: ImpulseResponse] = [:]

    init(rate: Int) { self.rate = rate }

    /// Reads what these slots name and is not known yet.
    /// - Throws: `MediaError` for the first that cannot be used.
    func prepare(_ slots: [RackDescription.Slot]) throws {
        for slot in slots {
            if let path = Self.path(slot), known[path] == nil { known[path] = try ImpulseResponse(path: path, rate: rate) }
        }
    }

    /// Reads what these slots name and is not known yet, and forgets what none of them names.
    /// - Throws: `MediaError` for the first that cannot be used.
    func read(_ slots: [RackDescription.Slot]) throws {
        var needed: [String: ImpulseResponse] = [:]
        for slot in slots {
            guard let path = Self.path(slot) else { continue }
            needed[path] = try known[path] ?? ImpulseResponse(path: path, rate: rate)
        }
        known = needed
    }

    /// Silence for a slot that names none.
    func samples(_ slot: RackDescription.Slot) -> (left: [Float], right: [Float]) {
        guard let path = Self.path(slot), let response = known[path] else { return ([], []) }
        return (response.left, response.right)
    }

    private static func path(_ slot: RackDescription.Slot) -> String? {
        guard slot.kind == .convolution, let path = slot.texts["response"], !path.isEmpty else { return nil }
        return path
    }
}
