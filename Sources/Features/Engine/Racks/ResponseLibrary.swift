package import Effects
package import Media
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

/// Reads impulse responses in the background, one request for each rack and file.
package typealias ResponseLoader = BackgroundWorker<ResponseRequest, ResponseRequest, LoadedResponse>

/// A request for an impulse response that a rack needs.
package struct ResponseRequest: Hashable, Sendable {
    /// The rack, as ``RackPosition`` counts.
    package let rack: Int
    package let path: String
    /// Frames per second of the engine.
    package let rate: Int

    /// Reads the file.
    /// - Parameter progress: called with the share that has been read, 0 to 1; returns whether to continue.
    /// - Returns: nil when `progress` returned false.
    package func fill(_ progress: (Double) -> Bool) throws(MediaError) -> LoadedResponse? {
        let response = try ImpulseResponse.read(path: path, rate: rate, progress: progress)
        return response.map {
            LoadedResponse(spectra: ResponseSpectra($0), warnings: $0.warnings)
        }
    }
}

extension BackgroundWorker where Key == ResponseRequest, Request == ResponseRequest, Product == LoadedResponse {
    package convenience init() {
        self.init(name: "responses") { request, progress throws(MediaError) in try request.fill(progress) }
    }
}

/// An impulse response that was read, ready for the renderer.
package struct LoadedResponse: Sendable {
    package let spectra: ResponseSpectra
    /// Warnings about a file that can be used nevertheless.
    package let warnings: [String]
}

extension ResponseSpectra {
    /// The spectra of a response that was read from a file.
    package convenience init(_ response: ImpulseResponse) {
        self.init(
            left: response.left, right: response.right, leftToRight: response.leftToRight, rightToLeft: response.rightToLeft,
            ownLevel: response.ownLevel)
    }
}
