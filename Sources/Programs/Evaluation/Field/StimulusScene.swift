/// Directions of a stimulus's sources; each source is a plane wave of independent noise, all at one level.
public struct StimulusScene: Sendable {
    public let name: String
    /// Azimuths in degrees, positive to the left.
    public let azimuths: [Double]

    /// One, two and four sources, and a field that is diffuse in the horizontal plane.
    public static let all = [
        StimulusScene(name: "one source", azimuths: [20]),
        StimulusScene(name: "two sources", azimuths: [-35, 60]),
        StimulusScene(name: "four sources", azimuths: [-130, -35, 20, 100]),
        StimulusScene(name: "diffuse field", azimuths: (0..<72).map { Double($0) * 5 - 177.5 }),
    ]

    /// Returns the sound field on the equator of the sphere of `series`.
    ///
    /// - Parameters:
    ///   - take: number of the take; each is rotated by another 97 degrees and has other noise.
    ///   - range: lines of the noise.
    ///   - seed: seed of all noises; each source has its own stream.
    public func field(_ series: SphereSeries, take: Int, period: Int, range: ClosedRange<Int>, seed: UInt64)
        -> CircularField
    {
        let sources = azimuths.enumerated().map { index, azimuth in
            let stream = UInt64(0x100000 + take * 0x10000 + azimuths.count * 0x100 + index)
            let noise = LineSpectrum.noise(lines: series.lines, range: range, seed: seed, stream: stream)
            return (azimuth + 97 * Double(take), noise)
        }
        return CircularField(series, sources: sources, period: period)
    }
}
