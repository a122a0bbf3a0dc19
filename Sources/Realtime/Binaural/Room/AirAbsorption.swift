internal import CRealtime
internal import DSP

/// Absorption of sound by air after ISO 9613-1:1993, formulas 3 to 5.
public struct AirAbsorption: BitwiseCopyable, Sendable {
    /// Degrees Celsius.
    public var temperature: Float
    /// Relative humidity, percent.
    public var humidity: Float
    /// Kilopascals.
    public var pressure: Float

    @_noLocks @_noAllocation
    public init(temperature: Float = 20, humidity: Float = 50, pressure: Float = 101.325) {
        self.temperature = temperature
        self.humidity = humidity
        self.pressure = pressure
    }

    /// Decibels per metre in the octaves of ``OctaveFilter/centres``.
    public var decibels: SIMD8<Float> {
        @_noLocks @_noAllocation get {
            let kelvin = Double(temperature) + 273.15
            let relative = kelvin / 293.15
            let pascals = Double(pressure) / 101.325
            let saturation = Self.power(10, -6.8346 * Self.power(273.16 / kelvin, 1.261) + 4.6151)
            // Molar concentration of water vapour, percent.
            let vapour = Double(humidity) * saturation / pascals
            let oxygen = pascals * (24 + 40_400 * vapour * (0.02 + vapour) / (0.391 + vapour))
            let nitrogen =
                pascals / rt_sqrt_double(relative)
                * (9 + 280 * vapour * rt_exp_double(-4.17 * (Self.power(relative, -1.0 / 3) - 1)))
            let classical = 1.84e-11 / pascals * rt_sqrt_double(relative)
            let scale = Self.power(relative, -2.5)
            var result = SIMD8<Float>.zero
            for band in 0..<8 {
                let f = Double(OctaveFilter.centres[band])
                let relaxation =
                    0.01275 * rt_exp_double(-2239.1 / kelvin) / (oxygen + f * f / oxygen)
                    + 0.1068 * rt_exp_double(-3352 / kelvin) / (nitrogen + f * f / nitrogen)
                result[band] = Float(8.686 * f * f * (classical + scale * relaxation))
            }
            return result
        }
    }

    @_noLocks @_noAllocation
    private static func power(_ base: Double, _ exponent: Double) -> Double { rt_exp_double(exponent * rt_log_double(base)) }
}
