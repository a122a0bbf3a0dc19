internal import Binaural
internal import Glibc

/// Everything that the measurements of a plan share: the lines of spectra, the sphere's series at each line, and the bands that levels
/// are summed in.
struct EvaluationGrid: Sendable {
    let plan: EvaluationPlan
    /// Distance of two lines, Hz.
    let spacing: Double
    let series: SphereSeries
    let erb: BandPowers

    init(_ plan: EvaluationPlan) {
        self.plan = plan
        spacing = EarRenderer.rate / Double(plan.period)
        series = SphereSeries(
            Sphere(radius: plan.radius), spacing: spacing, lines: EvaluationPlan.lines(period: plan.period))
        erb = BandPowers(.erb, spacing: spacing)
    }

    /// White noise in all lines, different for each stream.
    func noise(stream: Int) -> LineSpectrum {
        .noise(lines: series.lines, range: 1...series.lines - 1, seed: plan.seed, stream: UInt64(stream))
    }

    /// Microphones of an array on the plan's sphere.
    func microphones(_ array: MicrophoneArray) -> SphereMicrophones { SphereMicrophones(array, series, period: plan.period) }

    /// Microphones on the head of a listener, for the exact sound at its ears.
    func ears(_ array: MicrophoneArray, _ head: HRTFHead) -> SphereMicrophones {
        SphereMicrophones(array, SphereSeries(head.sphere, spacing: spacing, lines: series.lines), period: plan.period)
    }

    /// Power in each ERB band.
    func powers(_ spectrum: LineSpectrum) -> [Double] { erb.sums(spectrum.powers) }

    /// Level in each ERB band relative to another sound, dB.
    func levels(_ heard: LineSpectrum, relativeTo wanted: LineSpectrum) -> [Float] {
        zip(powers(heard), powers(wanted)).map { Float(10 * log10($0 / $1)) }
    }

    /// Interaural time difference of the spectra of both ears, microseconds.
    func time(_ ears: [LineSpectrum]) -> Double { InterauralDifference.time(left: ears[0], right: ears[1], spacing: spacing) }
}
