import Hub
import Pose
import Render

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
