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
        let input = try playback.input.map(LiveInputSource.init)
        let outputs = try options.outputsOfListeners()
        let delays: OutputDelays
        do { delays = try OutputDelayFile().read() } catch {
            delays = OutputDelays()
            report("\(error)")
        }
        let isOwnInput = input?.device.map { playback.inputClock.isOwn($0, beside: specification) } ?? false
        let deviceInput = isOwnInput ? nil : input?.device
        let array = try options.array.option()
        try array?.source.check(beside: input?.device)
        let recorded = array?.recorded(by: specification)
        let device = try open(specification, options, input: deviceInput, array: recorded, outputs: outputs, delays: delays)
        let sessions = SessionFolder(folder: options.sessions.sessions ?? SessionFolder.standardFolder)
        let sounds = SoundLibrary(
            folder: options.objects.sounds ?? SoundLibrary.standardFolder,
            files: options.objects.object.compactMap(\.file) + [playback.musicFile].compactMap(\.self))
        var choices = EngineOptions(
            deviceName: specification.description, protection: specification.protection,
            cues: try CueLibrary(folder: playback.cues, rate: device.format.rate),
            files: clientFiles(options, sessions: sessions.folder, sounds: sounds.folder), matches: OSCAddressPattern.matches)
        choices.exchange = try exchange(
            specification, options, format: device.format, input: deviceInput,
            array: recorded.map { try DeviceArray(client: $0.client, channels: ArrayChannels(device.arrayChannels)) }, outputs: outputs,
            delays: delays)
        choices.array = array
        choices.listeners = playback.listeners
        choices.outputs = outputs
        choices.networkListeners = playback.networkListeners
        choices.workers = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
        // Leaves room for a phone, and for trackers that are recognised or attached from the panel.
        choices.trackers = min(max(4, options.trackers.tracker.count + 2), OSCReceiver.mostTrackers)
        choices.objects = options.objects.objects
        choices.input = input
        if isOwnInput, case .alsa(let name) = input {
            choices.inputRecorder = try DeviceRecorder(input: name, format: device.format, report: report)
        }
        choices.presets = PresetFolder(folder: DataFolder.presets(playback.presets))
        choices.sessions = sessions
        choices.sounds = sounds
        (choices.libraryFolders, choices.libraryLimit) = (options.library.folders, options.library.size.limit)
        choices.version = Vestibule.version
        let engine = try Engine(choices, device: device, report: report)
        engine.hub.onLog = { log.write($0, from: $1) }
        return engine
    }

    /// The files that clients may name: those of the command line among them.
    private static func clientFiles(_ options: ServeCommand, sessions: String, sounds: String) -> ClientFiles {
        var own: [ClientFiles.Kind: String] = [.sessions: sessions, .sounds: sounds]
        if let takes = options.sessions.takes { own[.takes] = takes }
        let files = ClientFiles(own: own, allowed: options.sessions.allowPath + options.library.folders)
        options.objects.object.compactMap(\.file).forEach { files.grant($0) }
        return files
    }

    /// Opens the device, and the file of a file device, so that a file that may not be written is refused at once.
    private static func open(
        _ specification: DeviceSpecification, _ options: ServeCommand, input: DeviceInput?, array: DeviceArray?, outputs: OutputRoutes,
        delays: OutputDelays
    ) throws -> any AudioDevice {
        let channels = options.sound.channels
        guard case .file(let path) = specification else {
            return try specification.open(
                options.sound.format(), input: input, array: array, outputs: outputs, channels: channels, delays: delays)
        }
        let output = try options.outputs.open(path, inputs: options.inputs)
        return try specification.open(options.sound.format(), input: input, outputs: outputs) { _, channels, rate in
            try SoundWriter(output, channels: channels, rate: rate)
        }
    }

    /// Other devices in the place of one that plays live.
    private static func exchange(
        _ specification: DeviceSpecification, _ options: ServeCommand, format: DeviceFormat, input: DeviceInput?, array: DeviceArray?,
        outputs: OutputRoutes, delays: OutputDelays
    ) throws -> DeviceExchange? {
        if case .file = specification { return nil }
        let wanted = try DeviceFormat(rate: format.rate, period: format.period, periods: options.sound.periods)
        let channels = options.sound.channels
        return DeviceExchange(device: specification) { device throws(DeviceError) in
            try device.open(
                wanted, input: input, array: array, outputs: outputs, channels: channels, isFixed: true, delays: delays)
        }
    }
}
