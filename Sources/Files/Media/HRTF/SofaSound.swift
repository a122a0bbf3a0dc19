internal import DSP
internal import Glibc

/// The responses of a SOFA file: impulse responses, or transfer functions converted to them.
struct SofaSound {
    /// Allowed numbers of directions, and of samples of a response.
    static let sizes = 1...65_536
    static let rates: ClosedRange<Float> = 8_000...768_000

    /// Samples per second.
    let rate: Float
    /// Number of directions.
    let count: Int
    /// Samples of a response.
    let length: Int
    /// A response for each direction and receiver in turn.
    let samples: [Float]

    init(rate: Float, count: Int, length: Int, samples: [Float]) {
        (self.rate, self.count, self.length, self.samples) = (rate, count, length, samples)
    }

    /// - Throws: ``SofaRefusal`` naming the variable that is missing or does not have its sizes.
    init(_ tables: SofaTables) throws(SofaRefusal) {
        if tables.variables["Data.IR"] == nil, tables.variables["Data.Real"] != nil {
            self = try SofaTransferFunctions(tables).impulseResponses()
        } else {
            let variable = try tables.required("Data.IR")
            (count, length) = try Self.sizes(variable, "Data.IR", of: "sample")
            rate = try Self.rate(tables)
            samples = variable.values
        }
        try Self.check(samples, "a sample", length: length)
    }

    static func check(_ samples: [Float], _ name: String, length: Int) throws(SofaRefusal) {
        try SofaRange.check(samples, name, -SampleLimit.largest...SampleLimit.largest, "(linear)") {
            "direction \($0 / (2 * length) + 1), ear \($0 / length % 2 + 1)"
        }
    }

    /// The number of directions, and the length of a response, of a variable with two ears.
    static func sizes(_ variable: SofaTables.Variable, _ name: String, of noun: String) throws(SofaRefusal) -> (count: Int, length: Int) {
        var sizes = variable.sizes(atLeast: 3)
        // A dimension of a single emitter.
        if sizes.count == 4, sizes[2] == 1 { sizes.remove(at: 2) }
        guard sizes.count == 3, sizes[1] == 2, Self.sizes.contains(sizes[0]), Self.sizes.contains(sizes[2]) else {
            var found = "its variable \(name) has the sizes \(variable.extent)"
            if sizes.count == 3 {
                found +=
                    " (\(counted(sizes[0], "direction")), \(counted(sizes[1], "ear")), \(counted(sizes[2], noun, plural: "\(noun)s")))"
            }
            throw .unusable(
                "\(found), but must have a response for each of two ears in every direction: directions x 2 x \(noun)s, where directions "
                    + "and \(noun)s may be 1 to \(Self.sizes.upperBound)", SofaRefusal.another)
        }
        guard variable.values.count == sizes[0] * 2 * sizes[2] else {
            throw .damaged("its variable \(name) has \(variable.values.count) values, not the \(variable.extent) that it announces")
        }
        return (sizes[0], sizes[2])
    }

    /// The one sampling rate of all responses.
    private static func rate(_ tables: SofaTables) throws(SofaRefusal) -> Float {
        let variable = try tables.required("Data.SamplingRate")
        let scale: Float = variable.units.hasPrefix("k") ? 1000 : 1
        let values = variable.values.map { scale * $0 }
        guard let first = values.first else { throw .unusable("its variable Data.SamplingRate is empty") }
        try SofaRange.check(values, "its sampling rate", rates, "Hz") { values.count == 1 ? "" : "response \($0 + 1)" }
        if let other = values.first(where: { $0 != first }) {
            throw .unusable("its responses have different sampling rates, such as \(first) Hz and \(other) Hz")
        }
        return first
    }
}

/// The transfer functions of a SOFA file, at equally spaced frequencies.
struct SofaTransferFunctions {
    /// Highest frequency in Hz at which the data may begin. Below, the level stays and the phase continues.
    private static let highestStart = 500.0
    /// Deviation of a frequency from equal spacing, in units of the spacing.
    private static let tolerance = 0.02
    /// Share of the energy in the last eighth of a period above which responses begin before time 0.
    private static let early: Float = 0.05
    /// Largest real and imaginary part; samples have a lower limit.
    private static let largest: Float = 1e6

    private let count: Int
    /// Number of frequencies.
    private let given: Int
    /// Hz between frequencies, and the multiple of it at which the data begin.
    private let spacing: Double
    private let start: Int
    private let real: [Float]
    private let imaginary: [Float]

    /// - Throws: ``SofaRefusal`` naming what is missing, or frequencies that an inverse Fourier transform cannot use.
    init(_ tables: SofaTables) throws(SofaRefusal) {
        let (re, im) = (try tables.required("Data.Real"), try tables.required("Data.Imag"))
        (count, given) = try SofaSound.sizes(re, "Data.Real", of: "frequency")
        guard im.sizes == re.sizes, im.values.count == re.values.count else {
            throw .unusable("its variables Data.Real (\(re.extent)) and Data.Imag (\(im.extent)) differ in their sizes")
        }
        (real, imaginary) = (re.values, im.values)
        let variable = try tables.required("N")
        let scale = variable.units.hasPrefix("k") ? 1000.0 : 1
        let hertz = variable.values.map { scale * Double($0) }
        guard hertz.count == given, given >= 2 else {
            throw .unusable("its variable N has \(counted(hertz.count, "frequency", plural: "frequencies")) for \(given) in Data.Real")
        }
        guard hertz.allSatisfy(\.isFinite), let first = hertz.first, let last = hertz.last, first >= 0, last > first else {
            throw .unusable("the frequencies in its variable N do not ascend from 0 Hz or above")
        }
        let spacing = (last - first) / Double(given - 1)
        let isEven = hertz.enumerated().allSatisfy { abs($1 - first - Double($0) * spacing) <= Self.tolerance * spacing }
        guard isEven, abs((first / spacing).rounded() * spacing - first) <= Self.tolerance * spacing else {
            throw .unusable(
                "its transfer functions are not at equally spaced frequencies that begin at a multiple of their spacing "
                    + "(\(first), \(hertz[1]) to \(last) Hz)")
        }
        guard first <= Self.highestStart else {
            throw .unusable("its transfer functions begin at \(first) Hz, but are needed from \(Self.highestStart) Hz at most")
        }
        (self.spacing, start) = (spacing, Int(clamping: (first / spacing).rounded()))
        for (name, values) in [("a value of Data.Real", real), ("a value of Data.Imag", imaginary)] {
            let length = given
            try SofaRange.check(values, name, -Self.largest...Self.largest, "(linear)") {
                "direction \($0 / (2 * length) + 1), ear \($0 / length % 2 + 1), frequency \($0 % length + 1)"
            }
        }
    }

    /// The inverse Fourier transforms, whose rate is twice the highest frequency.
    func impulseResponses() throws(SofaRefusal) -> SofaSound {
        let bins = start + given
        let length = 2 * (bins - 1)
        var rate = Double(length) * spacing
        // The frequencies are rounded to single precision.
        if abs(rate - rate.rounded()) < 1e-5 * rate { rate = rate.rounded() }
        try SofaRange.check([Float(rate)], "twice its highest frequency", SofaSound.rates, "Hz") { _ in "" }
        guard SofaSound.sizes.contains(length) else {
            throw .unusable("its responses have \(length) samples; at most \(SofaSound.sizes.upperBound) are used")
        }
        let transform = FourierTransform(count: length)
        let (spectrum, time) = (UnsafeMutablePointer<Float>.allocateAligned(2 * bins), UnsafeMutablePointer<Float>.allocateAligned(length))
        defer {
            spectrum.deallocate()
            time.deallocate()
        }
        var samples: [Float] = []
        samples.reserveCapacity(2 * count * length)
        for response in 0..<2 * count {
            fill(spectrum, response)
            transform.inverse(spectrum, into: time)
            for index in 0..<length { samples.append(time[index] / Float(length)) }
        }
        return SofaSound(rate: Float(rate), count: count, length: length, samples: Self.delayed(samples, length: length))
    }

    private func fill(_ spectrum: UnsafeMutablePointer<Float>, _ response: Int) {
        func value(_ index: Int) -> Complex { Complex(Double(real[response * given + index]), Double(imaginary[response * given + index])) }
        let (first, second) = (value(0), value(1))
        let turn = second.phase - first.phase
        for bin in 0..<start + given {
            let below = start - bin
            var filled = below > 0 ? Complex(magnitude: first.magnitude, phase: first.phase - Double(below) * turn) : value(-below)
            if bin == 0, below > 0 { filled = Complex(first.magnitude) }
            (spectrum[2 * bin], spectrum[2 * bin + 1]) = (Float(filled.re), Float(filled.im))
        }
        spectrum[1] = 0
        spectrum[2 * (start + given) - 1] = 0
    }

    /// The responses, all later by a quarter of a period if they would otherwise begin at its end.
    private static func delayed(_ samples: [Float], length: Int) -> [Float] {
        var (all, last): (Float, Float) = (0, 0)
        for (index, sample) in samples.enumerated() {
            all += sample * sample
            if index % length >= length - length / 8 { last += sample * sample }
        }
        guard last > early * all else { return samples }
        let shift = length / 4
        return samples.indices.map { index in
            let (start, place) = (index / length * length, index % length)
            return samples[start + (place + length - shift) % length]
        }
    }
}
