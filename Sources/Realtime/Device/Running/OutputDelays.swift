/// Measured delays of devices from the start of a block's rendering to its output.
public struct OutputDelays: Equatable, Sendable {
    /// A device with the settings on which its delay depends, as agreed with its driver.
    public struct Key: Hashable, Sendable {
        public let device: DeviceSpecification
        /// Frames per second, per block, and in the device's buffer.
        public let rate, period, buffer: Int

        public init(_ device: DeviceSpecification, rate: Int, period: Int, buffer: Int) {
            (self.device, self.rate, self.period, self.buffer) = (device, rate, period, buffer)
        }

        public init(_ device: DeviceSpecification, _ format: DeviceFormat) {
            self.init(device, rate: format.rate, period: format.period, buffer: format.period * format.periods)
        }
    }

    /// Largest delay in milliseconds.
    public static let longest = 10_000.0

    /// Milliseconds.
    public private(set) var milliseconds: [Key: Double] = [:]

    public init() {}

    public subscript(key: Key) -> Double? {
        get { milliseconds[key] }
        set { milliseconds[key] = newValue.map { min(max($0, 0), Self.longest) } }
    }

    /// Nanoseconds; nil where nothing was measured.
    func nanoseconds(_ device: DeviceSpecification, _ format: DeviceFormat) -> UInt64? {
        self[Key(device, format)].map { UInt64(clamping: $0 * 1e6) }
    }
}
