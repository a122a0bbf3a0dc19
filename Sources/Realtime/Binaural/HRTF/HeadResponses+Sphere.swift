internal import DSP
internal import Glibc

extension HeadResponses {
    /// Responses of a rigid sphere with ears at both sides, for which they are known exactly.
    ///
    /// Directions are all around the horizon, and a third as dense 30 degrees above and below it.
    ///
    /// - Parameters:
    ///   - radius: radius of the sphere, metres.
    ///   - rate: samples per second; responses roll off from 0.9 of half the rate on.
    ///   - step: distance between directions on the horizon, degrees.
    public static func sphere(radius: Double, rate: Double = 48_000, step: Double = 5) -> HeadResponses {
        let length = 256
        let delay = 60.0
        var directions: [SIMD2<Double>] = stride(from: 0, to: 360, by: step).map { SIMD2($0, 0) }
        for elevation in [-30.0, 30] {
            directions += stride(from: 0, to: 360, by: 3 * step).map { SIMD2($0, elevation) }
        }
        let transform = FourierTransform(count: length)
        let spectrum = UnsafeMutablePointer<Float>.allocateAligned(2 * transform.bins)
        let time = UnsafeMutablePointer<Float>.allocateAligned(length)
        defer {
            spectrum.deallocate()
            time.deallocate()
        }
        let sphere = Sphere(radius: radius)
        let modes = (0..<transform.bins).map { sphere.modes(frequency: Double($0) * rate / Double(length)) }
        func response(_ direction: SIMD2<Double>, _ side: Double) -> [Float] {
            let radians = direction * (.pi / 180)
            let cosine = side * sin(radians.x) * cos(radians.y)
            for bin in 0..<transform.bins {
                let past = max(0, (2 * Double(bin) / Double(length) - 0.9) / 0.1)
                let turn = -2 * .pi * Double(bin) * delay / Double(length)
                let scale = Complex(magnitude: pow(cos(.pi / 2 * past), 2) / Double(length), phase: turn)
                let value = scale * modes[bin].pressure(cosine: cosine)
                spectrum[2 * bin] = Float(value.re)
                spectrum[2 * bin + 1] = Float(value.im)
            }
            transform.inverse(spectrum, into: time)
            return (0..<length).map { time[$0] }
        }
        return HeadResponses(
            rate: rate, length: length, azimuths: directions.map { $0.x }, elevations: directions.map { $0.y },
            left: directions.flatMap { response($0, 1) }, right: directions.flatMap { response($0, -1) })
    }
}
