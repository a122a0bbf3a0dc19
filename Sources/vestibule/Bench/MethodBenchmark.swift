import Binaural

/// The whole renderer by method: what all listeners share, what each further one costs, how many fit a core.
struct MethodBenchmark {
    /// The same two-band job for one listener, done in the plain way.
    var beside: Measurement?
    var methods = InterpolationMethod.allCases

    func measure() -> [Measurement] {
        methods.flatMap { method in
            let one = RenderBenchmark(method: method, listeners: 1).run()
            let many = RenderBenchmark(method: method, listeners: 101).run()
            let each = (many.nanosecondsPerFrame - one.nanosecondsPerFrame) / 100
            let shared = one.nanosecondsPerFrame - each
            let frame = 1e9 / 48_000
            let isTwoBand = method == .twoBand
            return [
                Measurement(
                    name: "\(method.name): shared by all listeners", value: shared, unit: "ns/frame",
                    budget: isTwoBand ? 15 : nil),
                Measurement(
                    name: "\(method.name): each listener, head moving", value: each, unit: "ns/frame",
                    budget: Self.budget(method), beside: isTwoBand ? beside?.value : nil,
                    besideName: isTwoBand ? KernelBenchmark.plainC : nil),
                Measurement(
                    name: "\(method.name): listeners per core at period 64", value: (frame - shared) / each,
                    unit: "listeners"),
                Measurement(
                    name: "\(method.name): allocations per block", value: many.allocationsPerBlock, unit: "",
                    budget: 0),
            ]
        }
    }

    /// Nanoseconds per frame that a further listener may cost at 16 microphones.
    private static func budget(_ method: InterpolationMethod) -> Double? {
        switch method {
        case .twoBand: 4
        case .ring: 6
        case .ringSpectral: 25
        case .nearest, .linear, .twoBandFixed, .twoBandSpectral, .personal: nil
        }
    }
}
