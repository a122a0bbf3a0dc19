import Binaural
import CRealtime
import Crossing
package import Device
package import Hub
import Media
package import Parameters
package import Render
import RenderCore
import RenderInterface
import Session

/// The running engine without its network: parameters, hub, renderer and device, and the parts that join them.
///
/// Made and used on the control thread.
package final class Engine {
    let store: ParameterStore
    package let hub: Hub
    package let lines: RenderConnections
    /// Rate and largest block of the renderer, whichever device plays.
    package let format: DeviceFormat
    package let telemetry: Telemetry
    package let files: MessageFiles
    package let recording: RecordingParts
    package let listeners: ListenerParts
    package let racks: Racks
    let sources: SourceParts
    let devices: DeviceParts
    package let sessions: Sessions
    let lists: NameLists
    package let tests: ListeningTests
    package let libraries: LibraryParts
    package let controllers: ControllerParts
    package let follower: EngineFollower
    /// Whether the device was released to render, because everything requested at the start has been loaded.
    private var isReleased = false
    /// Called with an address when parameters below it were added or removed.
    package var onShapeChange: (String) -> Void = { _ in }
    /// Called with every listener on the network that is made, after its parts were connected.
    package var onListener: (Int, RenderConnections.Listener) -> Void = { _, _ in }

    /// - Parameters:
    ///   - device: opened already; the renderer is made for its format.
    ///   - report: called with errors of other threads, in words.
    package init(_ options: EngineOptions, device: any AudioDevice, report: @escaping @Sendable (String) -> Void) throws {
        format = device.format
        let (rate, period) = (device.format.rate, device.format.period)
        store = ParameterStore(
            ParameterTree(
                listeners: options.listeners, network: options.networkListeners, trackers: options.trackers,
                presets: options.presets.names, cues: options.cues.names, objects: options.objects > 0 ? ObjectParameter.most : 0,
                firstObjects: options.objects, mappings: MIDIMappingParameter.most, cueList: CueListEntryParameter.most))
        hub = Hub(store: store, matches: options.matches)
        let ownInput = options.inputRecorder.map {
            OwnInput(options.input?.description ?? "", $0, clock: options.inputClock, period: period)
        }
        let clip = try options.input?.clip(rate: rate, report: report)
        lines = RenderConnections(
            store: store, wired: options.listeners, workers: options.networkListeners > 0 ? max(1, options.workers) : 0,
            rate: Float(rate), period: period, clip: clip, capture: ownInput?.takeFeed(),
            longestLoop: options.input == nil ? 0 : LooperControl.longest * rate, bank: CueBank(options.cues.sounds),
            protection: options.protection, awaitsRecording: options.awaitsRecording)
        let arrivals = ArrivalStatistics(listeners: lines.heads.count)
        telemetry = Telemetry(
            hub: hub, rate: Double(rate), period: period, engine: lines.reports.engine.take(),
            microphones: lines.reports.microphones.take(),
            stamps: [lines.reports.stamps] + lines.network.workers.map(\.stamps), listeners: lines.listeners.map(\.meters),
            arrivals: arrivals.all)
        files = MessageFiles(FileReader(tree: hub.tree, sounds: options.sounds), clients: options.files)
        recording = try RecordingParts(
            hub: hub, lines: lines, telemetry: telemetry, files: files, liveArray: options.array, device: device, report: report)
        racks = Racks(hub: hub, lines: lines, rate: rate, period: period, presets: options.presets, files: files)
        listeners = ListenerParts(
            hub: hub, lines: lines, telemetry: telemetry, arrivals: arrivals, playback: recording.playback, racks: racks, files: files,
            rate: rate)
        sources = SourceParts(options, hub: hub, lines: lines, files: files, format: device.format, report: report)
        devices = DeviceParts(options, hub: hub, device: device, input: ownInput, report: report)
        lists = NameLists(hub: hub, files: files, presets: options.presets)
        tests = ListeningTests(
            hub: hub, lines: lines, format: device.format, telemetry: telemetry, playback: recording.playback,
            transport: recording.transport, hrtf: listeners.hrtf, files: files)
        controllers = ControllerParts(
            midi: MIDIControl(hub: hub),
            cueList: CueList(hub: hub, actions: CueActions(hub: hub, files: files, sounds: options.cues, rate: rate)))
        sessions = Sessions(hub: hub, racks: racks, folder: options.sessions, files: files) { [recording] in
            try recording.transport.change($0)
        }
        let library = Library(hub: hub, files: files, further: options.libraryFolders, limit: options.libraryLimit)
        let fetcher = options.followedMedia.map { [files] in MediaFetcher($0, files: files, library: library) }
        follower = EngineFollower(
            hub: hub, racks: racks, scenes: sessions.scenes, files: files, fetcher: fetcher,
            transport: TransportFollower(
                hub: hub, telemetry: telemetry, playback: recording.playback, transport: recording.transport, files: files,
                fetcher: fetcher, rate: Double(rate)))
        let takes = try Takes(
            hub: hub, lines: lines, playback: recording.playback, files: files,
            format: .init(rate: rate, period: period, isProtected: options.protection == .always, hasInput: options.input != nil),
            session: { [sessions] in sessions.files.current }, sounds: { [sources] in sources.objects.soundFiles },
            sample: { [telemetry] in telemetry.state.samples },
            hook: options.onTakeWrite)
        libraries = LibraryParts(
            library: library,
            archives: ArchiveControl(hub: hub, files: files, library: library, version: options.version) { [tests] in tests.isBlind },
            takes: takes, fetcher: fetcher)
        hub.publish(tree.index(DeviceParameter.name), .text(options.deviceName))
        hub.publish(tree.index(InputParameter.source), .text(options.input?.description ?? ""))
        // The hub's notices have no reader yet.
        options.cues.warnings.forEach(report)
    }

    /// Microphones of cameras, as sounds of objects.
    package var objectCameras: ObjectCameras { sources.objects.cameras }

    /// Puts the sound objects into the room of a file that the command line names.
    func begin(room path: String) throws { try sources.room.load(RoomFile(path: path)) }

    /// Every parameter, with the listeners that are present at the start.
    package var tree: ParameterTree { store.tree }

    /// Plays listeners on the channels that the command line names, whichever listener a session plays there.
    /// - Parameter pairs: by listener, counted from 0.
    package func play(_ pairs: [Int: ChannelPair]) { devices.outputs.prefer(pairs) }

    /// Frames that no device played, since the start.
    package var lostDeviceFrames: Int64 { devices.playing.lostFrames }

    /// Moves the renderer to the device.
    /// - Parameter onEnd: called on the device's thread when it ends by itself; nil is the end of the recording.
    /// - Returns: advice that would make the run safer against dropouts, one line each.
    package func start(onEnd: @escaping @Sendable (DeviceError?) -> Void) throws(DeviceError) -> [String] {
        try listeners.network.start(format)
        let hints = try devices.playing.start(lines.graph.take(), onEnd: onEnd)
        devices.input?.start()
        files.isInBackground = true
        racks.start()
        return hints
    }

    /// Publishes telemetry, and takes the results of all background work; called about thirty times a second.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    package func tick(now: UInt64 = rt_now()) {
        telemetry.publish(now: now)
        hub.settle(now: now)
        recording.playback.settle()
        racks.publish()
        sources.tools.publish(telemetry.state)
        sources.music.publish()
        controllers.midi.publish()
        listeners.sound.publish(now: now)
        listeners.sound.watchLoad(telemetry.state, rate: format.rate, now: now)
        sessions.tick(now: now)
        listeners.hrtf.settle()
        sources.presence.settle()
        sources.objects.settle()
        sources.room.settle()
        lists.settle()
        recording.overview.settle()
        listeners.motion.collect()
        libraries.tick()
        tests.tick(now: now)
        recording.deck.tick()
        recording.transport.publish()
        follower.tick(now: now)
        devices.playing.tick(now: now)
        recording.liveArray.publish(telemetry.state, devices.playing.clock, now: now)
        devices.input?.follow(devices.playing.clock)
        listeners.network.tick(now: now)
        controllers.cueList.tick(now: now, played: played())
        releaseDevice()
    }

    /// The parts of the recording that were played since the last call.
    private func played() -> [PositionWatch.Part] {
        let (state, playback) = (telemetry.state, recording.playback)
        guard recording.transport.state == TransportParameter.playing, let start = playback.start(state),
            let position = playback.position(state), let duration = playback.player?.duration
        else { return [] }
        return controllers.cueList.positions.look(feed: state.feed, start: start, position: position, duration: duration)
    }

    /// Releases a waiting device as soon as the initial sounds, filters, impulse responses and room have been loaded.
    private func releaseDevice() {
        guard !isReleased, devices.playing.isStarted, listeners.hrtf.isSettled, sources.objects.isSettled, sources.room.isSettled,
            racks.isSettled
        else { return }
        isReleased = true
        devices.playing.release()
    }

    /// Stops the device, then everything that feeds it; the renderer is freed here.
    package func stop() {
        devices.playing.stop()
        listeners.network.stop()
        devices.input?.stop()
        listeners.motion.stop()
        libraries.stop()
        tests.suspend()
        hub.abandonWork()
        libraries.fetcher?.stop()
        recording.playback.stop()
        sources.music.stop()
        listeners.hrtf.stop()
        recording.overview.stop()
        sources.objects.stop()
        sources.room.stop()
        racks.stop()
    }
}
