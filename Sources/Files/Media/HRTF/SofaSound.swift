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
