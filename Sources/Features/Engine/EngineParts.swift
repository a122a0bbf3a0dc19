import Crossing
import Device
import Hub
import Media
package import Pose
import Render

/// The parts that play a recording, a playlist or a live array.
package struct RecordingParts {
    package let playback: Playback
    package let transport: Transport
    package let deck: Deck
    package let liveArray: LiveArrayControl
    package let overview: OverviewMaker
    package let video: VideoControl
    let array: ArrayEditor

    init(
        hub: Hub, lines: RenderConnections, telemetry: Telemetry, files: MessageFiles, liveArray option: LiveArrayOption?,
        device: any AudioDevice, report: @escaping @Sendable (String) -> Void
    ) throws {
        let rate = Double(device.format.rate)
        playback = Playback(
            feeds: lines.feeds.take(), arrays: lines.arrays.take(), workers: lines.network.workers.map(\.arrays), rate: rate, report: report
        )
        if let option { try playback.open(option, device: device) }
        array = ArrayEditor(hub: hub, playback: playback, rate: rate)
        transport = Transport(hub: hub, telemetry: telemetry, playback: playback, array: array, files: files)
        liveArray = LiveArrayControl(hub: hub, playback: playback, array: array)
        overview = OverviewMaker(hub: hub)
        overview.onLimited = { [playback] in playback.player?.report($0) }
        video = VideoControl(hub: hub, files: files)
        transport.onVideo = { [video] in video.follow($0) }
        deck = Deck(hub: hub, telemetry: telemetry, playback: playback, transport: transport, files: files, rate: rate)
        transport.onLoad = { [overview, unowned deck] in
            overview.make($0)
            deck.locate()
        }
    }
}

/// The parts that concern the listeners: poses, HRTFs, groups, watching of their sound.
package struct ListenerParts {
    /// Listeners on the network.
    package let network: NetworkListeners
    package let poses: PoseController
    package let groups: ListenerGroups
    let places: ListenerPlaces
    package let descriptions: ListenerDescriptions
    package let motion: MotionRecorder
    package let sound: SoundWatch
    let hrtf: HRTFLoaders
    package let arrivals: ArrivalStatistics

    init(
        hub: Hub, lines: RenderConnections, telemetry: Telemetry, arrivals: ArrivalStatistics, playback: Playback, racks: Racks,
        files: MessageFiles, rate: Int
    ) {
        network = NetworkListeners(hub: hub, lines: lines)
        poses = PoseController(hub: hub, telemetry: telemetry)
        groups = ListenerGroups(hub: hub)
        places = ListenerPlaces(hub: hub, places: lines.places)
        descriptions = ListenerDescriptions(hub: hub, rate: Float(rate))
        motion = MotionRecorder(hub: hub, lines: lines, playback: playback, files: files)
        sound = SoundWatch(hub: hub, lines: lines, racks: racks)
        hrtf = HRTFLoaders(hub: hub, playback: playback, lines: lines, rate: Double(rate), files: files)
        self.arrivals = arrivals
    }
}

/// Statistics of the arrival of poses, by listener and by the thread that delivers them.
package struct ArrivalStatistics {
    package let network: [PoseArrivals]
    let control: [PoseArrivals]

    init(listeners: Int) {
        network = (0..<listeners).map { _ in PoseArrivals() }
        control = (0..<listeners).map { _ in PoseArrivals() }
    }

    /// Both statistics of each listener.
    var all: [[PoseArrivals]] { zip(network, control).map { [$0, $1] } }
}

/// The parts that add sound to the recording: objects and their room, music, and the tools of live input.
struct SourceParts {
    let objects: ObjectController
    let presence: ObjectPresence
    let room: RoomControl
    let music: MusicController
    let tools: InstrumentTools

    /// - Parameter report: called with faults of files, on any thread.
    init(
        _ options: EngineOptions, hub: Hub, lines: RenderConnections, files: MessageFiles, format: DeviceFormat,
        report: @escaping @Sendable (String) -> Void
    ) {
        let rate = format.rate
        let hasInput = options.input != nil
        let controller = ObjectController(
            hub: hub, folder: options.sounds, lines: lines, hasInput: hasInput, rate: rate, files: files)
        objects = controller
        presence = ObjectPresence(hub: hub, lines: lines, files: files, rate: rate, period: format.period)
        presence.isSource = { controller.isSource($0) }
        room = RoomControl(hub: hub, rooms: lines.rooms.take(), format: format, files: files)
        music = MusicController(
            hub: hub, sounds: options.sounds, logins: options.stationLogins, feeds: lines.direct.music.take(),
            heard: lines.direct.isMusicHeard, rate: rate, report: report)
        tools = InstrumentTools(hub: hub, lines: lines, rate: rate, hasInput: hasInput)
    }
}

/// The parts that concern sound devices: the one that plays, its channels, and the one that records the live input.
struct DeviceParts {
    let playing: DeviceController
    let outputs: OutputController
    /// Nil when the device that plays records the live input too.
    let input: OwnInput?

    init(
        _ options: EngineOptions, hub: Hub, device: any AudioDevice, input: OwnInput?, report: @escaping @Sendable (String) -> Void
    ) {
        playing = DeviceController(hub: hub, device: device, exchange: options.exchange, report: report)
        outputs = OutputController(
            hub: hub, routes: options.outputs ?? OutputRoutes(listeners: options.listeners), channels: { [playing] in playing.channels })
        self.input = input
    }
}

/// The files of the installation: the media library, archives, takes, and downloads of files that a followed engine uses.
package struct LibraryParts {
    package let library: Library
    package let archives: ArchiveControl
    package let takes: Takes
    /// Nil if files of a followed engine are not fetched.
    let fetcher: MediaFetcher?

    func connect() {
        takes.connect()
        library.connect()
        archives.connect()
    }

    func tick() {
        takes.tick()
        library.tick()
        archives.tick()
    }

    /// Stops takes and background work; downloads stop later, by `fetcher`.
    func stop() {
        takes.stop()
        library.stop()
        archives.stop()
    }
}

/// The controllers inside the engine: mapped MIDI controllers and the cue list.
package struct ControllerParts {
    package let midi: MIDIControl
    package let cueList: CueList

    /// - Parameter sessions: undoes their changes, and crossfades the scenes that cues recall.
    func connect(_ sessions: Sessions) {
        midi.connect()
        midi.note = { [sessions] in sessions.undo.note($0) }
        cueList.connect()
        cueList.note = { [sessions] in sessions.undo.note($0) }
        cueList.actions.isCrossfading = { [sessions] in sessions.scenes.isCrossfading }
        cueList.actions.haltCrossfade = { [sessions] in sessions.scenes.finishCrossfade() }
        sessions.files.onApply = { [unowned cueList] in cueList.rewind() }
    }
}
