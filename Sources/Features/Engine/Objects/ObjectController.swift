package import Crossing
import Hub
import Media
import Parameters
import Render
import RenderCore

/// Gives sound objects their sounds: files by name, read in the background, channels of the live input, or microphones of cameras.
///
/// Used on the control thread only.
final class ObjectController {
    private let hub: Hub
    private let folder: SoundLibrary
    private let files: MessageFiles
    private let worker: ObjectSoundWorker
    private var sounds: Handover<ObjectSound>.Control
    private let hasInput: Bool
    /// Source that each object plays.
    private var current: [String]
    /// Sound that each object is waiting for.
    private var requests: [ObjectRequest?]
    /// File that each object plays.
    private var heard: [ObjectRequest?]
    /// Length of that file, seconds.
    private var lengths: [Double]
    private var isPlaying = false
    /// Background listing of the folder; thousands of names take long to read and sort.
    private var looking: BackgroundJob<[String]>?
    private let places: ObjectPlaces
    private let groups: ObjectGroups
    let paths: ObjectPaths
    let cameras = ObjectCameras()
    private let rate: Int
    private var ticks = 0
    /// Names in the folder at its last scan.
    private var names: [String] = []
    /// Channels of the live input.
    private static let channels = 2
    /// Ticks between two scans of the folder: two seconds.
    private static let folderTicks = 60
    /// Ticks between two checks of the cameras: a third of a second.
    private static let cameraTicks = 10

    /// - Parameters:
    ///   - files: files that clients may name by a path.
    ///   - hasInput: whether there is live input.
    ///   - rate: of the engine, frames per second.
    init(
        hub: Hub, folder: SoundLibrary, lines: RenderConnections, hasInput: Bool, rate: Int,
        files: MessageFiles
    ) {
        self.files = files
        self.hub = hub
        self.folder = folder
        sounds = lines.objects.take()
        self.hasInput = hasInput
        self.rate = rate
        worker = ObjectSoundWorker(rate: rate)
        places = ObjectPlaces(hub)
        groups = ObjectGroups(hub, places: places)
        paths = ObjectPaths(hub: hub, lines: lines, places: places, rate: rate)
        current = .init(repeating: "", count: hub.tree.objects)
        requests = .init(repeating: nil, count: hub.tree.objects)
        heard = requests
        lengths = .init(repeating: 0, count: hub.tree.objects)
    }

    func connect() {
        for object in current.indices {
            hub.onNeed(hub.tree.index(ObjectParameter.source, object)) { [unowned self] value, _ in
                try files.read([FileRequest.sound(of: value.text ?? "")].compactMap { $0 })
            }
            hub.onSet(hub.tree.index(ObjectParameter.source, object)) { [unowned self] value, message in
                try choose(object, value.text ?? "", plays: !message.message.isRestored && isAutomatic)
            }
            hub.onSet(hub.tree.index(ObjectParameter.channel, object)) { [unowned self] value, _ in
                // A file that is being read, or the one that is heard, is read again.
                guard var known = requests[object] ?? heard[object] else { return }
                known.channel = SoundChannel(number: value.numbers[0]) ?? .both
                request(known)
            }
            places.connect(object)
        }
        groups.connect()
        paths.connect()
        names = folder.names
        publishSounds()
    }

    /// Whether a sound that a client sets starts the transport.
    private var isAutomatic: Bool { hub.value(hub.tree.index(ObjectSounds.autoplay)) == .number(1) }

    /// Changes an object's source.
    /// - Parameter plays: whether the transport is to play when the sound has been loaded.
    /// - Throws: `MediaError` or `RequestError` for a source that cannot be used; the previous one continues.
    private func choose(_ object: Int, _ source: String, plays: Bool) throws {
        if let camera = ObjectCameras.name(in: source) {
            try receive(object, source, camera)
        } else if let channel = try channel(source) {
            take(object, source, ObjectSound(object: object, channel: channel), "live input \(channel + 1)")
        } else if source.isEmpty {
            take(object, source, ObjectSound(object: object, channel: nil), "")
        } else {
            let channel = SoundChannel(number: hub.value(hub.tree.index(ObjectParameter.channel, object)).numbers[0])
            request(ObjectRequest(object: object, name: source, path: try files.sound(source), channel: channel ?? .both, plays: plays))
        }
    }

    private func request(_ request: ObjectRequest) {
        requests[request.object] = request
        worker.request(request, for: request.object)
        publish(request.object, "\(LoadState.waiting)")
    }

    /// Gives an object the microphone of a camera, which may also connect later.
    private func receive(_ object: Int, _ source: String, _ camera: String) throws {
        guard let receive = cameras.receive else {
            throw RequestError("cameras are turned off, so \"\(source)\" is not available; start without --cameras 0")
        }
        guard !camera.isEmpty else {
            throw RequestError("\"\(source)\" does not name a camera; write its name after the colon, as on the page /camera")
        }
        receive(object, camera) { frames, isOpen in
            take(object, source, ObjectSound(object: object, live: LiveSound(frames: frames, isOpen: isOpen, rate: rate)), "")
        }
        if current[object] == source { publish(object, cameras.state(object)) }
    }

    /// Hands over a source that needs no reading.
    private func take(_ object: Int, _ source: String, _ sound: consuming ObjectSound, _ state: String) {
        worker.request(nil, for: object)
        requests[object] = nil
        leave(object, for: source)
        (current[object], heard[object]) = (source, nil)
        publish(object, sounds.send(sound) ? state : "not heard: the renderer is not running")
    }

    /// Ends receiving from a camera when an object changes to another kind of source.
    private func leave(_ object: Int, for source: String) {
        guard ObjectCameras.name(in: current[object]) != nil, ObjectCameras.name(in: source) == nil else { return }
        cameras.release(object)
    }

    /// The channel of the live input that a source names, counted from 0; nil when it names none.
    private func channel(_ source: String) throws -> Int? {
        let words = source.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0] == "input", let number = Int(words[1]) else { return nil }
        guard hasInput else {
            throw RequestError("there is no live input for \"\(source)\"; start with --input")
        }
        guard (1...Self.channels).contains(number) else {
            throw RequestError("the live input has no channel \(number); it has 1 to \(Self.channels)")
        }
        return number - 1
    }

    /// Takes sounds that have been read, about thirty times a second.
    func settle() {
        sounds.collect()
        followTransport()
        paths.publish()
        places.publish()
        groups.publish()
        for report in worker.take() where report.request == requests[report.key] { take(report) }
        ticks += 1
        if let found = looking?.product { (names, looking) = (found, nil) }
        if ticks % Self.folderTicks == 0, looking == nil {
            // If no thread can be started, it is tried again two seconds later.
            looking = try? BackgroundJob(name: "sound names", onEnd: {}) { [folder] _ in folder.names }
        }
        guard ticks % Self.cameraTicks == 0 else { return }
        publishSounds()
        for object in current.indices where requests[object] == nil && ObjectCameras.name(in: current[object]) != nil {
            publish(object, cameras.state(object))
        }
    }

    private func take(_ report: ObjectSoundWorker.Report) {
        let (object, name) = (report.key, report.request.name)
        switch report.outcome {
        case .progress(let share): publish(object, "\(LoadState.loading("\(Int(clamping: share * 100)) %"))")
        case .done(let loaded):
            guard sounds.send(loaded.sound.take()) else {
                // The renderer had no room; the sound is read again.
                return worker.request(report.request, for: object)
            }
            requests[object] = nil
            leave(object, for: name)
            (current[object], heard[object]) = (name, report.request)
            lengths[object] = loaded.seconds
            publishReady(object)
            if report.request.plays, !isPlaying { hub.set(TransportParameter.play.address(), to: []) }
            for warning in loaded.warnings { hub.notice(warning) }
        case .refused(let reason):
            requests[object] = nil
            hub.notice(reason.description)
            publish(object, "\(LoadState.failed("\(reason)"))")
            // The parameter is set back to the source that is still heard.
            hub.publish(hub.tree.index(ObjectParameter.source, object), .text(current[object]))
        }
    }

    /// Publishes that a sound file is loaded, and whether it is heard.
    private func publishReady(_ object: Int) {
        let length = "\((lengths[object] * 10).rounded() / 10) s"
        publish(object, "\(LoadState.ready(isPlaying ? length : "\(length), heard when the transport plays"))")
    }

    private func followTransport() {
        let plays = hub.value(hub.tree.index(TransportParameter.state)) == .number(Float(TransportParameter.playing))
        guard plays != isPlaying else { return }
        isPlaying = plays
        for object in current.indices where heard[object] != nil && requests[object] == nil { publishReady(object) }
    }

    /// Paths of the files that objects play or wait for, by name.
    var soundFiles: [String: String] {
        Dictionary((heard + requests).compactMap { $0 }.map { ($0.name, $0.path) }) { _, last in last }
    }

    /// Whether a text names a sound of the folder, the live input or a camera.
    func isSource(_ text: String) -> Bool {
        names.contains(text) || ObjectCameras.name(in: text) != nil || ((try? channel(text)) ?? nil) != nil
    }

    private func publishSounds() {
        guard !current.isEmpty else { return }
        let channels = hasInput ? (1...Self.channels).map { "input \($0)" } : []
        let others = cameras.names().map { ObjectCameras.prefix + $0 }
        hub.publish(hub.tree.index(ObjectSounds.sounds), .text((names + channels + others).joined(separator: "\n")))
    }

    private func publish(_ object: Int, _ text: String) {
        hub.publish(hub.tree.index(ObjectParameter.state, object), .text(text))
    }

    /// Whether no sound is being read.
    var isSettled: Bool { requests.allSatisfy { $0 == nil } }

    func stop() { worker.stop() }
}

/// Microphones of phones and browsers, as sounds of objects: `camera:` and the name of the client that offers one.
///
/// Another part of the program receives them; without it there are none. Used on the control thread only.
package final class ObjectCameras {
    /// Takes what is received for an object: one channel at the engine's rate, and whether it may be heard.
    package typealias Delivery = (_ frames: consuming FrameRing.Consumer, _ isOpen: consuming Switch.Realtime) -> Void

    /// Prefix of such a source.
    package static let prefix = "camera:"

    /// Names of all clients that offer sound.
    package var names: () -> [String] = { [] }
    /// Begins to receive for an object, instead of its previous source; calls the last argument once. Nil without cameras.
    package var receive: ((_ object: Int, _ name: String, Delivery) -> Void)?
    /// Ends receiving for an object.
    package var release: (_ object: Int) -> Void = { _ in }
    /// State of an object's sound, for a person to read.
    package var state: (_ object: Int) -> String = { _ in "" }

    /// The name in a source; nil for one of another kind.
    static func name(in source: String) -> String? {
        source.hasPrefix(prefix) ? String(source.dropFirst(prefix.count)) : nil
    }
}
