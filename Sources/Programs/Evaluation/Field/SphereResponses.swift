internal import Glibc

/// Cache of the sphere's responses to single plane waves. Not thread-safe.
final class SphereResponses {
    private let series: SphereSeries
    private var known: [Int: LineSpectrum] = [:]

    init(_ series: SphereSeries) { self.series = series }

    /// - Parameter degrees: angle between position and source, of any size.
    func at(_ degrees: Double) -> LineSpectrum {
        // A cosine series is even and periodic.
        let angle = abs(remainder(degrees, 360))
        let key = Int(clamping: (angle * 1e5).rounded())
        if let response = known[key] { return response }
        let response = series.response(degrees: angle)
        known[key] = response
        return response
    }
}
