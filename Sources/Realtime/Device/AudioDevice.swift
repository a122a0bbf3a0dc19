public import Render

/// Caller of the renderer: owns a thread and, while it runs, the renderer.
public protocol AudioDevice: AnyObject, Sendable {
    /// The format in use, which may differ from the requested one; the renderer is made for it.
    var format: DeviceFormat { get }
    /// Frames of a block at present: JACK's server may change them while the device plays. Thread-safe.
    var period: Int { get }
    /// Number of output channels that listeners can be played on.
    var channels: Int { get }
    /// Output times of the blocks; nil for a device that keeps a schedule of its own.
    var timing: OutputTiming? { get }
    /// The channels of a live array that the device records in the same blocks, counted from 1; empty without one.
    var arrayChannels: [Int] { get }

    /// Number of the sound card whose clock the device has; nil for none, as with a sound server.
    var card: Int? { get }
    /// Reason why the device is not heard although it asks for sound, in words; empty while it is. Thread-safe.
    var problem: String { get }

    /// Starts a thread that renders until stopped, with the renderer that is in `holder` or comes into it; without one a live device is
    /// silent.
    ///
    /// Only one run at a time; another may be started after it has ended.
    ///
    /// - Parameter onEnd: called once, on the device's thread, when the device ends by itself: with nil when
    ///   everything is rendered, otherwise with the reason. Not called after ``DeviceRun/stop()``, which it must
    ///   not call itself.
    func start<Renderer: BlockRenderer & ~Copyable>(
        in holder: RendererHolder<Renderer>, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer>

    /// Lets a device that waits for it render the first block; has no effect on others. Thread-safe.
    func release()
}

extension AudioDevice {
    public func release() {}

    /// Duration of a block at present in nanoseconds, rounded down.
    var blockDuration: UInt64 { UInt64(period) * 1_000_000_000 / UInt64(format.rate) }

    /// Moves `renderer` to a new thread and renders until stopped, as ``start(in:onEnd:)`` does.
    public func start<Renderer: BlockRenderer & ~Copyable>(
        _ renderer: consuming Renderer, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> { try start(in: RendererHolder(renderer), onEnd: onEnd) }

    public var period: Int { format.period }
    public var channels: Int { 2 }
    public var timing: OutputTiming? { nil }
    public var arrayChannels: [Int] { [] }
    public var card: Int? { nil }
    public var problem: String { "" }
}

/// Format of a device: a number of frames per second, and a number of frames per block.
public struct DeviceFormat: Equatable, Sendable {
    /// Frames per second, within ``rates``.
    public let rate: Int
    /// Frames per block, within ``periods``.
    public let period: Int
    /// Blocks in the device's buffer, within ``counts``. Only sound cards have a buffer.
    public let periods: Int

    /// Default rate.
    public static let standardRate = 48_000
    public static let rates = 8000...192_000
    public static let periods = 16...8192
    public static let counts = 2...64

    /// Checks and stores the values.
    /// - Throws: ``DeviceError`` when a value is out of range.
    public init(rate: Int, period: Int, periods: Int = 2) throws(DeviceError) {
        try Self.check(rate, "A rate", "frames per second", Self.rates)
        try Self.check(period, "A period", "frames", Self.periods)
        try Self.check(periods, "A buffer", "periods", Self.counts)
        self.init(agreed: rate, period: period, periods: periods)
    }

    /// The format that a sound device has chosen, which may have more periods than can be requested.
    init(agreed rate: Int, period: Int, periods: Int) {
        self.rate = rate
        self.period = period
        self.periods = periods
    }

    /// Duration of one block in nanoseconds, rounded down.
    public var blockDuration: UInt64 { UInt64(period) * 1_000_000_000 / UInt64(rate) }

    private static func check(
        _ value: Int, _ what: String, _ unit: String, _ range: ClosedRange<Int>
    ) throws(DeviceError) {
        guard !range.contains(value) else { return }
        throw DeviceError("\(what) of \(value) \(unit) is outside \(range.lowerBound) to \(range.upperBound).")
    }
}

/// The reason why a device cannot be used or has stopped by itself, as a sentence with the remedy.
public struct DeviceError: Error, CustomStringConvertible, Equatable, Sendable {
    public let description: String
    /// Whether the device is absent and may still appear, as opposed to one that cannot be used as requested.
    public let isAbsence: Bool

    public init(_ description: String, isAbsence: Bool = false) { (self.description, self.isAbsence) = (description, isAbsence) }
}

/// Opens a device for a renderer that exists already, so that the device has to have its rate. Called on any thread.
public typealias DeviceOpener = @Sendable (DeviceSpecification) throws(DeviceError) -> any AudioDevice
