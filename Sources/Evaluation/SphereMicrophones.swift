internal import Binaural

/// What an array hears of one plane wave of periodic noise, and what an ear on the same sphere would hear.
/// For one thread at a time.
final class SphereMicrophones {
    let array: MicrophoneArray
    private let responses: SphereResponses
    private let transform: PeriodicTransform
    private let lines: Int

    init(_ array: MicrophoneArray, _ series: SphereSeries, period: Int) {
        self.array = array
        responses = SphereResponses(series)
        transform = PeriodicTransform(period: period)
        lines = series.lines
    }

    /// One period of each microphone's signal.
    /// - Parameter azimuth: of the source, degrees.
    func signals(_ noise: LineSpectrum, azimuth: Double) -> [[Float]] {
        array.azimuthList.map { microphone in
            let spectrum = noise.times(responses.at(Double(microphone) - azimuth))
            return transform.synthesise(spectrum) { Array(UnsafeBufferPointer(start: $0, count: transform.period)) }
        }
    }

    /// The exact spectrum at a place on the equator.
    /// - Parameters: degrees.
    func exact(_ noise: LineSpectrum, azimuth: Double, at place: Double) -> LineSpectrum {
        noise.times(responses.at(place - azimuth))
    }

    /// The spectrum of the last period of what was rendered.
    func spectrum(_ rendered: [Float]) -> LineSpectrum {
        transform.lines(of: rendered, from: rendered.count - transform.period, count: lines)
    }
}
