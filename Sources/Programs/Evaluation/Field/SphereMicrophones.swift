internal import Binaural

/// Signals of an array's microphones in one plane wave of periodic noise, and of an ear on the same sphere.
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
    /// - Parameter azimuth: azimuth of the source, degrees.
    func signals(_ noise: LineSpectrum, azimuth: Double) -> [[Float]] {
        array.azimuthList.map { microphone in
            signal(noise.times(responses.at(Double(microphone) - azimuth)))
        }
    }

    /// The same, of microphones with errors.
    func signals(_ noise: LineSpectrum, azimuth: Double, _ errors: SensorErrors) -> [[Float]] {
        array.azimuthList.enumerated().map { channel, microphone in
            let place = Double(microphone) + errors.displacements[channel]
            return signal(noise.times(responses.at(place - azimuth))).map { errors.gains[channel] * $0 }
        }
    }

    /// One period of the signal with a spectrum.
    func signal(_ spectrum: LineSpectrum) -> [Float] {
        transform.synthesise(spectrum) { Array(UnsafeBufferPointer(start: $0, count: transform.period)) }
    }

    /// Returns the exact spectrum at a position on the equator. Angles are in degrees.
    func exact(_ noise: LineSpectrum, azimuth: Double, at place: Double) -> LineSpectrum {
        noise.times(responses.at(place - azimuth))
    }

    /// Returns the spectrum of the last period of a rendered signal.
    func spectrum(_ rendered: [Float]) -> LineSpectrum {
        transform.lines(of: rendered, from: rendered.count - transform.period, count: lines)
    }
}
