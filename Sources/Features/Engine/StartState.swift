import CRealtime
package import Device
package import FileOutput
import Foundation
import Hub
import Media
package import Parameters
import Session

/// An option of the start that cannot be used, with the reason for a person to read.
package struct StartError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

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

/// The state that the engine starts with: a session, and options that take precedence over it.
extension Engine {
    /// Loads the initial session, given by its path or by its name in the session folder.
    package func loadSession(_ session: String) throws {
        if SoundEndings.contain(URL(filePath: session).pathExtension) {
            throw StartError("\(session): this is a sound file, not a session. Give it with --recording \(session).")
        }
        try sessions.files.load(path: sessions.files.folder.path(orName: session), isTrusted: true)
    }

    /// Applies the options that the engine starts with.
    /// - Throws: ``StartError`` for one that is refused or out of range, or an error of a file.
    package func begin(_ state: StartState) throws {
        libraries.library.name(state.media.map { files.clients.grant($0) })
        try loadRecordings(state)
        if let video = state.video {
            try set(VideoParameter.file, 0, .string(RecordingVideo.isAddress(video) ? video : files.clients.grant(video)))
        }
        if state.selectsLiveArray { try recording.liveArray.select() }
        play(state.outputs)
        try beginListeners(state)
        for (index, object) in state.objects.enumerated() {
            for (parameter, value) in object.place { try set(parameter, index, value) }
            let isCamera = ObjectCameras.name(in: object.path) != nil
            try set(ObjectParameter.source, index, .string(isCamera ? object.path : SoundLibrary.name(object.path)))
        }
        for (listener, place) in state.places { try set(ListenerParameter.xyz, listener, place) }
        if let room = state.room { try begin(room: room) }
        if let music = state.music {
            try set(MusicParameter.source, 0, .string(MusicReader.Source.isAddress(music) ? music : SoundLibrary.name(music)))
            try set(MusicParameter.run, 0, .bool(true))
        }
        if let device = state.device { try prefer(device) }
        for (parameter, value) in state.streams { try set(parameter, 0, value) }
        if let motion = state.motion { try listeners.motion.begin(motion.path, existing: motion.existing, inputs: motion.inputs) }
        if state.outputFile != nil {
            // A looping recording would fill the disk.
            hub.handle(Message(address: TransportParameter.loop.address(), arguments: [.bool(false)], receiveTime: rt_now()))
        }
        if !state.hasSession, sessions.files.open.path == nil, !sessions.recovery.isRecovered { sessions.files.begin() }
        if recording.playback.player != nil || recording.playback.isLive || recording.playback.waitsForLive || !state.objects.isEmpty {
            recording.transport.state = TransportParameter.playing
        }
        try checkEnd(state)
    }

    private func loadRecordings(_ state: StartState) throws {
        if let path = state.recording ?? state.playlist.first { try recording.transport.load(files.clients.grant(path)) }
        if let path = state.outputFile {
            recording.deck.isFixed = true
            guard state.playlist.isEmpty else {
                throw StartError("--device file:\(path) renders one recording. Give it with --recording instead of --list.")
            }
            guard state.music == nil else {
                throw StartError("--device file:\(path) renders without music, which plays in real time. Omit --music.")
            }
        }
        for (parameter, value) in state.deck { try set(parameter, 0, value) }
        guard !state.playlist.isEmpty else { return }
        let paths = state.playlist.map { files.clients.grant($0) }
        try set(DeckParameter.list, 0, .string(paths.joined(separator: "\n")))
    }

    /// Applies the options that all listeners share, also to those that appear later.
    private func beginListeners(_ state: StartState) throws {
        let apply = { [unowned self] (listener: Int) throws in
            for (parameter, value) in state.listener { try set(parameter, listener, value) }
        }
        let isPresent = tree.isPresent
        for listener in isPresent.indices where isPresent[listener] { try apply(listener) }
        listeners.network.onAppear = { [unowned self] listener in
            do { try apply(listener) } catch { hub.notice("listener \(listener + 1): \(error)") }
        }
    }

    /// Puts a device before those that the session prefers.
    private func prefer(_ device: String) throws {
        let order = hub.value(tree.index(DeviceParameter.order)).text ?? ""
        guard !order.isEmpty else { return }
        let others = order.split(separator: "\n").map(String.init).filter { $0 != device }
        try set(DeviceParameter.order, 0, .string(([device] + others).joined(separator: "\n")))
    }

    /// - Throws: ``StartError`` for a file device without a recording, since the file ends with the recording.
    private func checkEnd(_ state: StartState) throws {
        guard let path = state.outputFile else { return }
        guard !state.selectsLiveArray else {
            throw StartError(
                "--device file:\(path) renders until the recording ends, and a live array does not end. Omit --array, or choose another "
                    + "device; takes record the live sound.")
        }
        guard recording.playback.player == nil else { return }
        throw StartError(
            "--device file:\(path) renders until the recording ends, and there is no recording. Add --recording, or a session that "
                + "has one; `vestibule render --object FILE@AZIMUTH --output \(path)` renders sound objects alone.")
    }

    /// - Throws: ``StartError`` for a value that is refused or out of range.
    private func set<Group: ParameterGroup>(_ parameter: Group, _ instance: Int, _ value: Parameters.Argument) throws {
        try set(parameter, instance, [value])
    }

    private func set<Group: ParameterGroup>(_ parameter: Group, _ instance: Int, _ values: [Parameters.Argument]) throws {
        let message = Message(address: parameter.address(instance), arguments: values, receiveTime: rt_now())
        if let text = hub.handle(message).text { throw StartError(text) }
    }
}
