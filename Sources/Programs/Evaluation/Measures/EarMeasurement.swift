/// Measurement of one ear for one source: rendered and exact spectrum, and the powers of both in bands.
struct EarMeasurement {
    struct Powers {
        let rendered: [Double]
        let exact: [Double]
    }

    let rendered: LineSpectrum
    let exact: LineSpectrum
    let erb: Powers
    let thirdOctaves: Powers

    init(rendered: LineSpectrum, exact: LineSpectrum, erb: BandPowers, thirdOctaves: BandPowers) {
        let (power, truth) = (rendered.powers, exact.powers)
        self.rendered = rendered
        self.exact = exact
        self.erb = Powers(rendered: erb.sums(power), exact: erb.sums(truth))
        self.thirdOctaves = Powers(rendered: thirdOctaves.sums(power), exact: thirdOctaves.sums(truth))
    }
}
