package import Device
package import Media
package import Render
package import Session

/// Options that an engine is made with.
package struct EngineOptions {
    /// Name of the device, for clients.
    package var deviceName: String
    /// The exchange of the device for others; nil for a device that cannot be exchanged, such as a file.
    package var exchange: DeviceExchange?
    /// Condition under which a limiter protects the ears on the device.
    package var protection: Protection
    package var listeners = 1
    /// The device's channels that listeners are played on; nil for the first listener in stereo.
    package var outputs: OutputRoutes?
    /// Maximum number of network listeners at a time, and number of threads that render them.
    package var networkListeners = 0
    package var workers = 0
    /// Maximum number of trackers that are attached at a time.
    package var trackers = 0
    /// Initial number of sound objects; with 0 there can be none.
    package var objects = 0
    /// The live input; nil for none.
    package var input: LiveInputSource?
    /// The device of the live input when it has its own clock.
    package var inputRecorder: DeviceRecorder?
    /// The live microphone array; nil for none.
    package var array: LiveArrayOption?
    /// Whether the card of the live input has the clock of the device that plays.
    package var inputClock = InputClock.auto
    package var presets = PresetFolder(folder: nil)
    package var cues: CueLibrary
    package var sessions = SessionFolder(folder: SessionFolder.standardFolder)
    /// Whether devices that can wait do so until there is a recording.
    package var awaitsRecording = true
    /// Sound files that clients may give to objects.
    package var sounds = SoundLibrary(folder: SoundLibrary.standardFolder)
    /// Logins of radio stations.
    package var stationLogins = StationLogins()
    /// Files that clients may name.
    package var files: ClientFiles
    /// Folders whose recordings and videos the media library lists besides the program's own files.
    package var libraryFolders: [String] = []
    /// Maximum size of the media library in bytes, applied to files that arrive while the engine runs; nil for no limit.
    package var libraryLimit: Int64?
    /// Source of recordings of the followed engine; nil for none.
    package var followedMedia: FollowedMedia?
    /// Version of the program, for archives.
    package var version = ""
    /// Called on the takes thread before every piece of sound is written. Tests block here to simulate a slow disk.
    package var onTakeWrite: @Sendable () -> Void = {}
    /// Whether an OSC address pattern matches an address.
    package var matches: (_ pattern: String, _ address: String) -> Bool

    package init(
        deviceName: String, protection: Protection, cues: CueLibrary, files: ClientFiles,
        matches: @escaping (_ pattern: String, _ address: String) -> Bool
    ) {
        self.deviceName = deviceName
        self.protection = protection
        self.cues = cues
        self.files = files
        self.matches = matches
    }
}
