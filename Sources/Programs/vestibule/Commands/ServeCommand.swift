import ArgumentParser
import Session

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Play a recording, live input or sound objects for moving heads, and serve OSC, OSCQuery and the panel.")

    @Argument(help: "Session to load: a name, or the path of a file.")
    var session: String?

    @OptionGroup(title: "Sound") var playback: PlaybackOptions
    @OptionGroup(title: "Live array") var array: ArrayOptions
    @OptionGroup(title: "Device") var sound: DeviceOptions
    @OptionGroup(title: "Sound objects") var objects: ObjectOptions
    @OptionGroup(title: "Head trackers") var trackers: TrackerOptions
    @OptionGroup(title: "MIDI controllers") var midi: MIDIOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "MQTT broker") var mqtt: MQTTOptions
    @OptionGroup(title: "Streams to browsers") var streams: StreamOptions
    @OptionGroup(title: "Icecast server") var icecast: IcecastOptions
    @OptionGroup(title: "Sessions") var sessions: SessionOptions
    @OptionGroup(title: "Media library") var library: LibraryOptions
    @OptionGroup(title: "Files of --device file:PATH and --record-motion") var outputs: OutputOptions

    @Option(name: .customLong("log"), help: "Format of log lines: text, or json (one object a line).")
    var logFormat = LogFormat.text

    @Option(name: .customLong("ready-file"), help: "File to write the chosen ports to, as JSON, once sound is running.")
    var readyFile: String?

    mutating func validate() throws {
        if playback.listeners == nil, let session {
            let folder = SessionFolder(folder: sessions.sessions ?? SessionFolder.standardFolder)
            playback.listeners = (try? folder.path(orName: session)).flatMap { SessionFile.deviceListeners(inFile: $0) }
        }
        try trackers.check(listeners: playback.deviceListeners)
        try objects.check(listeners: playback.deviceListeners)
        try midi.check()
        try icecast.check(listeners: playback.deviceListeners)
    }

    /// Files and folders that are read.
    var inputs: [String] {
        let input = playback.input.flatMap { $0.hasPrefix("alsa:") || $0 == "jack" ? nil : $0 }
        return [session, playback.recording, playback.hrtf, input, playback.cues, playback.presets, objects.room].compactMap(\.self)
            + [playback.musicFile, playback.musicLoginFile].compactMap(\.self) + playback.list + objects.object.compactMap(\.file)
            + array.inputs + mqtt.inputs
            + icecast.inputs
    }

    /// Connects the parts of the server in the order of the data flow: control in, engine, sound and telemetry out.
    func run() throws {
        Signals.block()
        DescriptorLimit.raise()
        let log = try ServerLog(logFormat)
        defer { log.close() }
        let server = try Server(self, log)
        try server.awaitSignals()
        server.connectOSC()
        server.connectPoses()
        server.connectEngine()
        server.connectCueList()
        try server.connectLoop()
        try server.connectReports()
        server.connectClients()
        server.connectSound()
        try server.connectScene()
        server.connectStreams()
        server.connectCameras()
        server.connectParticipants()
        server.connectTelemetry()
        try server.loadSession()
        try server.startAutosave()
        try server.applyOptions()
        try server.attachTrackers()
        try server.startSound()
        try server.startReceiving()
        server.startMIDI()
        try server.startMQTT()
        try server.startIcecast()
        server.startTicking()
        try server.startRelays()
        server.reportWhenReady()
        try server.announce()
        defer { server.stop() }
        try server.run()
    }
}
