package import Device
package import Media
package import Render
package import Session

/// The choices that an engine is made with.
package struct EngineOptions {
    /// Name of the device, for clients.
    package var deviceName: String
    /// Other devices in its place; nil for a device that stays, such as a file.
    package var exchange: DeviceExchange?
    /// When a limiter protects the ears that the device plays to.
    package var protection: Protection
    package var listeners = 1
    /// The device's channels that listeners are played on; nil for the first listener in stereo.
    package var outputs: OutputRoutes?
    /// Listeners that may be on the network at a time, and the threads that render them.
    package var networkListeners = 0
    package var workers = 0
    /// Trackers that can be attached at a time.
    package var trackers = 0
    /// Sound objects that can be used at a time.
    package var objects = 0
    /// The live input; nil for none.
    package var input: LiveInputSource?
    /// The device of the live input when it has a clock of its own.
    package var inputRecorder: DeviceRecorder?
    /// The live microphone array; nil for none.
    package var array: LiveArrayOption?
    package var presets = PresetFolder(folder: nil)
    package var cues: CueLibrary
    package var sessions = SessionFolder(folder: SessionFolder.standardFolder)
    /// Sound files that clients may give to objects.
    package var sounds = SoundLibrary(folder: SoundLibrary.standardFolder)
    /// Files that clients may name.
    package var files: ClientFiles
    /// Folders whose recordings and videos the media library lists besides the program's own files.
    package var libraryFolders: [String] = []
    /// Bytes of all files in the media library, for those that clients send; nil for no limit.
    package var libraryLimit: Int64?
    /// Version of the program, for archives.
    package var version = ""
    /// Called on the takes thread before every piece of sound is written; a place to wait stands for a disk that does.
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
