import Device
import Engine
import Render
import Testing

/// Division of recording between the device that plays and those beside it.
@Suite struct EngineDevicesTests {
    private func devices(_ device: String, input: String? = nil, array: String? = nil, clock: InputClock = .auto) throws -> EngineDevices {
        var devices = EngineDevices(
            device: try DeviceSpecification(device), format: try DeviceFormat(rate: 48_000, period: 64, periods: 2),
            outputs: OutputRoutes(listeners: 1))
        devices.input = try input.map(LiveInputSource.init)
        devices.inputClock = clock
        devices.array = try array.map { LiveArrayOption(source: try ArrayInput($0), channels: nil, sidecar: nil) }
        return devices
    }

    @Test(arguments: [
        ("timer", "alsa:hw:7", InputClock.auto, true), ("jack", "alsa:hw:7", .auto, true), ("jack", "jack", .auto, false),
        ("alsa:hw:7", "alsa:hw:7", .auto, false), ("alsa:hw:7", "alsa:hw:7", .own, true), ("alsa:hw:7", "alsa:hw:8", .same, false),
        ("timer", "clip.wav", .auto, false),
    ])
    func anInputWithAClockOfItsOwnIsRecordedBesideTheDevice(_ device: String, _ input: String, _ clock: InputClock, _ isOwn: Bool) throws {
        let devices = try devices(device, input: input, clock: clock)
        #expect(devices.hasOwnInput == isOwn)
        #expect((devices.deviceInput == nil) == (isOwn || input == "clip.wav"))
    }

    @Test func aDeviceThatPlaysLiveCanBeExchangedAndAFileCannot() throws {
        for (name, isExchanged) in [("timer", true), ("file:out.wav", false)] {
            let devices = try devices(name, input: "clip.wav")
            let folder = TestFolder()
            let opened = try PulledDevice(channels: 2)
            var options = EngineOptions(
                deviceName: name, protection: .none, cues: try CueLibrary(folder: nil, rate: 48_000),
                files: ClientFiles(data: folder.path("data")), matches: { _, _ in false })
            try devices.complete(&options, on: opened) { Issue.record("\($0)") }
            #expect((options.exchange != nil) == isExchanged)
            #expect(options.inputRecorder == nil && options.input != nil)
        }
    }

    /// Hardware is opened once.
    @Test func refusesAnArrayThatCannotBeBesideTheInput() throws {
        let devices = try devices("timer", input: "alsa:hw:1,0", array: "alsa:plughw:1,0")
        #expect(throws: DeviceError.self) { try devices.open { _, _, _ in throw DeviceError("not opened") } }
    }
}
