import Crossing
import Device
import Hub
import Render

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
