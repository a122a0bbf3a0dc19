import Effects
import Media
import Parameters
import Rack

/// The impulse responses of one rack's convolutions, each read once, in the background.
final class ResponseLibrary {
    private let rack: Int
    private let rate: Int
    private let loader: ResponseLoader
    private var known: [String: ResponseSpectra] = [:]
    /// Files that are being read, with the share that has been read, 0 to 1.
    private var coming: [String: Double] = [:]

    init(rack: Int, rate: Int, loader: ResponseLoader) {
        (self.rack, self.rate, self.loader) = (rack, rate, loader)
    }

    /// Paths of the files that these slots name and that are not known yet.
    func unknown(_ slots: [RackDescription.Slot]) -> Set<String> {
        Set(slots.compactMap(Self.path)).filter { known[$0] == nil && coming[$0] == nil }
    }

    /// Reads the files that these slots name and that are not known yet, before it returns.
    /// - Returns: warnings about files that can be used nevertheless.
    /// - Throws: `MediaError` for the first that cannot be used.
    func read(_ slots: [RackDescription.Slot]) throws -> [String] {
        var warnings: [String] = []
        for path in slots.compactMap(Self.path) where known[path] == nil {
            let response = try request(path).fill { _ in true }
            known[path] = response?.spectra
            warnings += response?.warnings ?? []
        }
        return warnings
    }

    /// Requests the files that these slots name and that are not known yet; stops reading files that none of them names.
    /// - Parameter heard: slots whose responses are still needed; all other responses are dropped.
    func request(_ slots: [RackDescription.Slot], heard: [RackDescription.Slot]) {
        let wanted = Set(slots.compactMap(Self.path))
        for path in coming.keys where !wanted.contains(path) {
            loader.request(nil, for: request(path))
            coming[path] = nil
        }
        for path in wanted where known[path] == nil && coming[path] == nil {
            coming[path] = 0
            loader.request(request(path), for: request(path))
        }
        let kept = wanted.union(heard.compactMap(Self.path))
        known = known.filter { kept.contains($0.key) }
    }

    private func request(_ path: String) -> ResponseRequest { ResponseRequest(rack: rack, path: path, rate: rate) }

    var isComplete: Bool { coming.isEmpty }

    /// The share of a slot's response that has been read, 0 to 1; nil when it is not being read.
    func progress(_ slot: RackDescription.Slot) -> Double? { Self.path(slot).flatMap { coming[$0] } }

    /// Takes the progress or the result of a request.
    /// - Returns: the reason, if the file cannot be used.
    func take(_ report: ResponseLoader.Report) -> MediaError? {
        let path = report.request.path
        guard coming[path] != nil else { return nil }
        switch report.outcome {
        case .progress(let share): coming[path] = share
        case .done(let response): (coming[path], known[path]) = (nil, response.spectra)
        case .refused(let reason):
            coming[path] = nil
            return reason
        }
        return nil
    }

    /// The response of a slot; nil, which is silence, for a slot that names none.
    func response(_ slot: RackDescription.Slot) -> ResponseSpectra? { Self.path(slot).flatMap { known[$0] } }

    /// Path of a slot's impulse response; nil for a slot without one.
    static func path(_ slot: RackDescription.Slot) -> String? {
        guard slot.kind.hasFile, let path = slot.texts["response"], !path.isEmpty else { return nil }
        return path
    }
}
