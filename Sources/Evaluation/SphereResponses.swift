internal import Glibc

/// The sphere's responses to single plane waves, each worked out once. For one thread at a time.
final class SphereResponses {
    private let series: SphereSeries
    private var known: [Int: LineSpectrum] = [:]

    init(_ series: SphereSeries) { self.series = series }

    /// - Parameter degrees: the angle between the place and the source, of any size.
    func at(_ degrees: Double) -> LineSpectrum {
        // A cosine series knows neither signs nor whole turns.
        let angle = abs(remainder(degrees, 360))
        let key = Int((angle * 1e5).rounded())
        if let response = known[key] { return response }
        let response = series.response(degrees: angle)
        known[key] = response
        return response
    }
}
