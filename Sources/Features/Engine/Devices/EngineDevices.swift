package import Device

/// The sound devices of an engine: the one that plays, the live input and the live array. They determine what each of them records.
package struct EngineDevices {
    package var device: DeviceSpecification
    package var format: DeviceFormat
    /// Channels to open the device with; nil for as many as the outputs need.
    package var channels: Int?
    /// The device's channels that listeners are played on.
    package var outputs: OutputRoutes
    package var delays = OutputDelays()
    /// Connections of JACK clients, for clients that are opened again.
    private let wiring = JACKWiring()
    /// The live input; nil for none.
    package var input: LiveInputSource?
    /// Whether the card of the live input has the clock of the device that plays.
    package var inputClock = InputClock.auto
    /// The live microphone array; nil for none.
    package var array: LiveArrayOption?

    package init(device: DeviceSpecification, format: DeviceFormat, outputs: OutputRoutes) {
        (self.device, self.format, self.outputs) = (device, format, outputs)
    }

    /// Whether the live input is recorded by a device of its own.
    package var hasOwnInput: Bool { input?.device.map { inputClock.isOwn($0, beside: device) } ?? false }

    /// The input that the playing device records in the same blocks; nil for none.
    package var deviceInput: DeviceInput? { hasOwnInput ? nil : input?.device }

    /// Opens the device that plays. The timer stands in for a missing sound card, and a missing live array is left out: both may be
    /// connected later.
    ///
    /// - Parameter sink: opens the file of a file device.
    /// - Throws: `DeviceError`, also for a live array that cannot be combined with the live input.
    package func open(
        sink: @escaping @Sendable (_ path: String, _ channels: Int, _ rate: Int) throws -> any FrameSink
    ) throws(DeviceError) -> any AudioDevice {
        try array?.source.check(beside: input?.device)
        if case .file = device { return try device.open(format, input: deviceInput, outputs: outputs, sink: sink) }
        let recorded = array?.recorded(by: device)
        do throws(DeviceError) { return try open(array: recorded) } catch {
            guard error.isAbsence else { throw error }
            if case .alsa = device { return AbsentDevice(format, reason: error) }
            guard recorded != nil else { throw error }
            return try open(array: nil)
        }
    }

    private func open(array: DeviceArray?) throws(DeviceError) -> any AudioDevice {
        try device.open(
            format, input: deviceInput, array: array, outputs: outputs, channels: channels, delays: delays, wiring: wiring)
    }

    /// Completes the options of an engine on a device that is open.
    ///
    /// - Parameter report: called with errors of other threads, in words.
    package func complete(_ options: inout EngineOptions, on opened: any AudioDevice, report: @escaping @Sendable (String) -> Void) throws {
        options.exchange = try exchange(opened)
        (options.array, options.outputs, options.input, options.inputClock) = (array, outputs, input, inputClock)
        if hasOwnInput, case .alsa(let name) = input {
            options.inputRecorder = try DeviceRecorder(input: name, format: opened.format, report: report)
        }
    }

    /// The exchange of a device that plays live for others, which keep its format and the channels of its array.
    private func exchange(_ opened: any AudioDevice) throws -> DeviceExchange? {
        if case .file = device { return nil }
        let wanted = try DeviceFormat(rate: opened.format.rate, period: opened.format.period, periods: format.periods)
        let numbers = opened.arrayChannels
        let recorded =
            try numbers.isEmpty
            ? nil : array?.recorded(by: device).map { DeviceArray(client: $0.client, channels: try ArrayChannels(numbers)) }
        return DeviceExchange(device: device) { [deviceInput, outputs, channels, delays, wiring] device throws(DeviceError) in
            try device.open(
                wanted, input: deviceInput, array: recorded, outputs: outputs, channels: channels, isFixed: true, delays: delays,
                wiring: wiring)
        }
    }
}
