package import Device
package import FileOutput
import Media
package import Parameters

/// The state that an engine starts with: options that take precedence over its session.
package struct StartState {
    /// A parameter and its value.
    package typealias Setting<Group: ParameterGroup> = (parameter: Group, value: Parameters.Argument)

    /// File that motion is recorded in from the start.
    package struct Motion {
        let path: String
        let existing: OutputFile.Existing
        /// Files that the program reads, which the motion file must not replace.
        let inputs: [String]

        package init(path: String, existing: OutputFile.Existing, inputs: [String]) {
            self.path = path
            self.existing = existing
            self.inputs = inputs
        }
    }

    /// Path of the file that the device renders; nil for a device that plays live.
    package var outputFile: String?
    /// Whether a session was named, so that none is begun.
    package var hasSession = false
    package var recording: String?
    /// 360-degree video of the recording: a file, or an address.
    package var video: String?
    /// Recordings of the playlist; the first one is loaded if there is no other.
    package var playlist: [String] = []
    package var deck: [Setting<DeckParameter>] = []
    /// Whether the live array replaces the recording.
    package var selectsLiveArray = false
    /// The device's channels of listeners, counted from 0.
    package var outputs: [Int: ChannelPair] = [:]
    /// Parameters that every listener begins with, those on the network included.
    package var listener: [Setting<ListenerParameter>] = []
    /// Sound objects in order: the sound file or the camera, and the place of each.
    package var objects: [(path: String, place: [Setting<ObjectParameter>])] = []
    /// Listeners, counted from 0, and their places.
    package var places: [(listener: Int, place: [Parameters.Argument])] = []
    /// Description of the room that the objects are in.
    package var room: String?
    /// Sound file or address of the music.
    package var music: String?
    /// Device before those that the session prefers; nil for their order.
    package var device: String?
    package var streams: [Setting<StreamParameter>] = []
    package var motion: Motion?

    package init() {}

    /// Paths of the recordings and the video.
    var media: [String] {
        let files = [recording].compactMap { $0 } + playlist + [video].compactMap { $0 }.filter { !RecordingVideo.isAddress($0) }
        return files.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
