import Effects
package import Media

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
