import Device
import Engine
import Foundation
import Hub
import Media
import OSCControl
import Render
import RenderInterface
import Session

/// The engine of the command line's options, with its device open.
extension Server {
    static func engine(
        _ options: ServeCommand, _ specification: DeviceSpecification, _ log: ServerLog, report: @escaping @Sendable (String) -> Void
    ) throws -> Engine {
        let playback = options.playback
        let devices = try devices(options, specification, report: report)
        let device = try open(devices, options)
        let sessions = SessionFolder(folder: options.sessions.sessions ?? SessionFolder.standardFolder)
        let sounds = SoundLibrary(
            folder: options.objects.sounds ?? SoundLibrary.standardFolder,
            files: options.objects.object.compactMap(\.file) + [playback.musicFile].compactMap(\.self))
        let files = ClientFiles(
            sessions: sessions.folder, sounds: sounds.folder, takes: options.sessions.takes,
            allowed: options.sessions.allowPath + options.library.folders, named: options.objects.object.compactMap(\.file))
        var choices = EngineOptions(
            deviceName: specification.description, protection: specification.protection,
            cues: try CueLibrary(folder: playback.cues, rate: device.format.rate), files: files, matches: OSCAddressPattern.matches)
        try devices.complete(&choices, on: device, report: report)
        choices.listeners = playback.deviceListeners
        choices.networkListeners = playback.networkListeners
        choices.workers = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
        choices.trackers = OSCReceiver.trackers(attached: options.trackers.tracker.count)
        choices.objects = options.objects.objects
        choices.presets = PresetFolder(folder: DataFolder.presets(playback.presets))
        choices.sessions = sessions
        choices.sounds = sounds
        (choices.libraryFolders, choices.libraryLimit) = (options.library.folders, options.library.size.limit)
        choices.followedMedia = try options.mqtt.media()
        if let path = playback.musicLoginFile { choices.stationLogins = try StationLogins(path: path) }
        choices.version = Vestibule.version
        let engine = try Engine(choices, device: device, report: report)
        engine.hub.onLog = { log.write($0, from: $1) }
        return engine
    }

    private static func devices(
        _ options: ServeCommand, _ specification: DeviceSpecification, report: (String) -> Void
    ) throws -> EngineDevices {
        var devices = EngineDevices(
            device: specification, format: try options.sound.format(), outputs: try options.outputsOfListeners())
        do { devices.delays = try OutputDelayFile().read() } catch { report("\(error)") }
        devices.channels = options.sound.channels
        devices.input = try options.playback.input.map(LiveInputSource.init)
        devices.inputClock = options.playback.inputClock
        devices.array = try options.array.option()
        return devices
    }

    /// Opens the device, and the file of a file device, so that a file that may not be written is refused at once.
    private static func open(_ devices: EngineDevices, _ options: ServeCommand) throws -> any AudioDevice {
        guard case .file(let path) = devices.device else { return try devices.open { try SoundWriter(path: $0, channels: $1, rate: $2) } }
        let output = try options.outputs.open(path, inputs: options.inputs)
        return try devices.open { _, channels, rate in try SoundWriter(output, channels: channels, rate: rate) }
    }
}
