internal import Effects
internal import Media
internal import Parameters
internal import Rack

/// Impulse responses of one rack's convolutions, each read once, in the background.
final class ResponseLibrary {
    private let rack: Int
    private let rate: Int
    private let workshop: ResponseWorkshop
    private var known: [String: ResponseSpectra] = [:]
    /// What is being read, and how much of it has been, 0 to 1.
    private var coming: [String: Double] = [:]

    init(rack: Int, rate: Int, workshop: ResponseWorkshop) {
        (self.rack, self.rate, self.workshop) = (rack, rate, workshop)
    }

    /// Refuses what can be seen to be wrong without reading it.
    /// - Throws: `MediaError` for the first that cannot be used.
    func check(_ slots: [RackDescription.Slot]) throws {
        for path in Set(slots.compactMap(Self.path)) where known[path] == nil && coming[path] == nil {
            try ImpulseResponse.check(path: path)
        }
    }

    /// Reads what these slots name and is not known yet, here and now.
    /// - Throws: `MediaError` for the first that cannot be used.
    func read(_ slots: [RackDescription.Slot]) throws {
        for path in slots.compactMap(Self.path) where known[path] == nil {
            known[path] = try order(path).fill { _ in true }
        }
    }

    /// Has read what these slots name and is not known yet; what none of them names is not read on.
    /// - Parameter heard: slots whose responses are still needed besides; all others are forgotten.
    func order(_ slots: [RackDescription.Slot], heard: [RackDescription.Slot]) {
        let wanted = Set(slots.compactMap(Self.path))
        for path in coming.keys where !wanted.contains(path) {
            workshop.order(nil, for: order(path))
            coming[path] = nil
        }
        for path in wanted where known[path] == nil && coming[path] == nil {
            coming[path] = 0
            workshop.order(order(path), for: order(path))
        }
        let kept = wanted.union(heard.compactMap(Self.path))
        known = known.filter { kept.contains($0.key) }
    }

    private func order(_ path: String) -> ResponseOrder { ResponseOrder(rack: rack, path: path, rate: rate) }

    var isComplete: Bool { coming.isEmpty }

    /// How much of a slot's response has been read, 0 to 1; nil when it is not being read.
    func progress(_ slot: RackDescription.Slot) -> Double? { Self.path(slot).flatMap { coming[$0] } }

    /// Takes what has become of an order.
    /// - Returns: the reason why the file cannot be used.
    func take(_ report: ResponseWorkshop.Report) -> MediaError? {
        let path = report.order.path
        guard coming[path] != nil else { return nil }
        switch report.outcome {
        case .progress(let share): coming[path] = share
        case .done(let response): (coming[path], known[path]) = (nil, response)
        case .refused(let reason):
            coming[path] = nil
            return reason
        }
        return nil
    }

    /// Nil, which is silence, for a slot that names none.
    func response(_ slot: RackDescription.Slot) -> ResponseSpectra? { Self.path(slot).flatMap { known[$0] } }

    /// Nil for what needs none.
    static func path(_ slot: RackDescription.Slot) -> String? {
        guard slot.kind == .convolution, let path = slot.texts["response"], !path.isEmpty else { return nil }
        return path
    }
}
