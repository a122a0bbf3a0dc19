import Crossing
import Device
import Hub
import Media
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
