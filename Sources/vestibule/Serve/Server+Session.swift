import ArgumentParser
import CRealtime
import Device
import Engine
import Foundation
import Hub
import Media
import Parameters
import Session
import WebControl

/// The state that the server starts with: a session, unsaved changes, and the command line's options.
extension Server {
    private static let soundFiles: Set = ["wav", "rf64", "w64", "caf", "flac", "aif", "aiff"]

    /// Loads the session of the command line, named by its path or by its name in the session folder.
    func loadSession() throws {
        guard let session = options.session else { return }
        if Self.soundFiles.contains(URL(filePath: session).pathExtension.lowercased()) {
            throw ValidationError("\(session): this is a sound file, not a session. Give it with --recording \(session).")
        }
        try engine.sessions.files.load(path: engine.sessions.files.folder.path(orName: session), isTrusted: true)
    }

    /// Recovers unsaved changes, and saves new ones automatically.
    ///
    /// Does neither with a file device: a file is rendered the same whatever happened before, and leaves nothing else behind.
    func startAutosave() throws {
        let (sessions, recovery) = (options.sessions, engine.sessions.recovery)
        if case .file = specification { return }
        guard sessions.autosave > 0 else { return }
        recovery.start(recovers: sessions.recover) { [log] in log.write($0) }
        web.loop.every(Int(clamping: sessions.autosave * 1000)) { recovery.autosave() }
    }

    /// Applies the command line's options, which take precedence over the session.
    func applyOptions() throws {
        let playback = options.playback
        if let recording = playback.recording ?? playback.list.first {
            try engine.transport.load(engine.files.clients.grant(recording))
        }
        try applyPlaylist()
        if options.array.array != nil { try engine.liveArray.select() }
        try engine.play(options.pairsOfListeners())
        let isPresent = engine.hub.tree.isPresent
        for listener in isPresent.indices where isPresent[listener] { try applyOptions(listener) }
        engine.listeners.onAppear = { [unowned self] listener in
            do { try applyOptions(listener) } catch { engine.hub.notice("listener \(listener + 1): \(error)") }
        }
        for (index, object) in options.objects.object.enumerated() {
            for (parameter, value) in object.place { try set(parameter, index, .float(value)) }
            try set(ObjectParameter.source, index, .string(SoundLibrary.name(object.path)))
        }
        if let music = playback.music {
            try set(MusicParameter.source, 0, .string(playback.musicFile.map(SoundLibrary.name) ?? music))
            try set(MusicParameter.run, 0, .bool(true))
        }
        try preferDevice()
        try applyStreams()
        if let path = playback.recordMotion {
            try engine.motion.begin(path, existing: options.outputs.existing(path, inputs: options.inputs), inputs: options.inputs)
        }
        if case .file = specification {
            // A looping recording would fill the disk.
            engine.hub.handle(
                Message(address: TransportParameter.loop.address(), arguments: [.bool(false)], receiveTime: rt_now()))
        }
        let (files, recovery) = (engine.sessions.files, engine.sessions.recovery)
        if options.session == nil, files.open.path == nil, !recovery.isRecovered { files.begin() }
        if engine.playback.player != nil || engine.playback.isLive || !options.objects.object.isEmpty {
            engine.transport.state = TransportParameter.playing
        }
    }

    private func applyStreams() throws {
        let streams = options.streams
        if let rate = streams.bitrate { try set(StreamParameter.bitrate, 0, .float(rate)) }
        if let rate = streams.lowest { try set(StreamParameter.lowestBitrate, 0, .float(rate)) }
        if let length = streams.packet { try set(StreamParameter.packet, 0, .string("\(length) ms")) }
        if let length = streams.longest { try set(StreamParameter.longestPacket, 0, .string("\(length) ms")) }
        if streams.fixed { try set(StreamParameter.adapt, 0, .float(0)) }
        if let delay = streams.group { try set(StreamParameter.group, 0, .float(delay)) }
    }

    private func applyPlaylist() throws {
        let playback = options.playback
        if case .file(let path) = specification {
            engine.deck.isFixed = true
            guard playback.list.isEmpty else {
                throw ValidationError("--device file:\(path) renders one recording. Give it with --recording instead of --list.")
            }
            guard playback.music == nil else {
                throw ValidationError("--device file:\(path) renders without music, which arrives in its own time. Leave out --music.")
            }
        }
        if let repeats = playback.repeats { try set(DeckParameter.repeat, 0, .string(repeats)) }
        if let crossfade = playback.crossfade { try set(DeckParameter.crossfade, 0, .float(crossfade)) }
        guard !playback.list.isEmpty else { return }
        let paths = playback.list.map { engine.files.clients.grant($0) }
        try set(DeckParameter.list, 0, .string(paths.joined(separator: "\n")))
    }

    /// Applies the options that all listeners share to one of them.
    private func applyOptions(_ listener: Int) throws {
        let playback = options.playback
        if let method = playback.method { try set(ListenerParameter.method, listener, .string(method)) }
        if let hrtf = playback.hrtf { try set(ListenerParameter.hrtf, listener, .string(engine.files.clients.grant(hrtf))) }
        if let radius = playback.headRadius { try set(ListenerParameter.headRadius, listener, .float(radius)) }
        if let equalisation = playback.hrtfEqualisation {
            try set(ListenerParameter.hrtfEqualisation, listener, .string(equalisation))
        }
        for (parameter, value) in playback.prediction?.settings ?? [] { try set(parameter, listener, value) }
    }

    /// - Throws: `ValidationError` for a file device without a recording, whose end would be that of the file.
    func checkEnd() throws {
        guard case .file(let path) = specification else { return }
        guard options.array.array == nil else {
            throw ValidationError(
                "--device file:\(path) renders until the recording ends, and a live array does not end. Leave out --array, or choose "
                    + "another device; takes record what is heard.")
        }
        guard engine.playback.player == nil else { return }
        throw ValidationError(
            "--device file:\(path) renders until the recording ends, and there is no recording. Add --recording, or a session that "
                + "has one; `vestibule render --object FILE@AZIMUTH --output \(path)` renders sound objects alone.")
    }

    /// - Throws: `ValidationError` for a value that is refused or out of range.
    private func set<Group: ParameterGroup>(_ parameter: Group, _ instance: Int, _ value: Parameters.Argument) throws {
        let message = Message(address: parameter.address(instance), arguments: [value], receiveTime: rt_now())
        if let text = engine.hub.handle(message).text { throw ValidationError(text) }
    }

    /// Puts the device of the command line before those that the session prefers.
    private func preferDevice() throws {
        let order = engine.hub.value(engine.tree.index(DeviceParameter.order)).text ?? ""
        guard options.sound.chosenDevice != nil, !order.isEmpty else { return }
        let others = order.split(separator: "\n").map(String.init).filter { $0 != specification.description }
        try set(DeviceParameter.order, 0, .string(([specification.description] + others).joined(separator: "\n")))
    }
}
