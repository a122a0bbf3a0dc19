import ArgumentParser
import Device
import Engine
import Parameters

extension ServeCommand {
    /// The options of the command line as the engine takes them.
    /// - Parameter grant: permits a file to clients and returns its path.
    func startState(_ specification: DeviceSpecification, grant: (String) -> String) throws -> StartState {
        var state = StartState()
        if case .file(let path) = specification { state.outputFile = path }
        state.hasSession = session != nil
        state.recording = playback.recording
        state.video = playback.video
        state.playlist = playback.list
        if let repeats = playback.repeats { state.deck.append((.repeat, .string(repeats))) }
        if let crossfade = playback.crossfade { state.deck.append((.crossfade, .float(crossfade))) }
        state.selectsLiveArray = array.array != nil
        state.outputs = try pairsOfListeners()
        state.listener = listenerSettings(grant: grant)
        state.objects = objects.object.map { ($0.path, $0.settings) }
        state.places = objects.place.map { ($0.listener - 1, $0.arguments) }
        state.room = objects.room
        state.music = playback.music
        if sound.chosenDevice != nil { state.device = specification.description }
        state.streams = streams.settings
        if let path = playback.recordMotion {
            state.motion = try .init(path: path, existing: outputs.existing(path, inputs: inputs), inputs: inputs)
        }
        return state
    }

    private func listenerSettings(grant: (String) -> String) -> [StartState.Setting<ListenerParameter>] {
        var settings: [StartState.Setting<ListenerParameter>] = []
        if let method = playback.method { settings.append((.method, .string(method))) }
        if let hrtf = playback.hrtf { settings.append((.hrtf, .string(grant(hrtf)))) }
        if let radius = playback.headRadius { settings.append((.headRadius, .float(radius))) }
        if let equalisation = playback.hrtfEqualisation { settings.append((.hrtfEqualisation, .string(equalisation))) }
        return settings + (playback.prediction?.settings ?? [])
    }
}

extension ServeCommand {
    /// The channels that listeners are played on, by `--output`.
    func outputsOfListeners() throws -> OutputRoutes {
        let pairs = try pairsOfListeners()
        do throws(DeviceError) { return try OutputRoutes(listeners: playback.deviceListeners, pairs) } catch {
            throw ValidationError("--output: \(error)")
        }
    }

    /// The pairs that `--output` names, by listener, counted from 0.
    func pairsOfListeners() throws(ValidationError) -> [Int: ChannelPair] {
        var pairs: [Int: ChannelPair] = [:]
        for text in playback.output {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let listener = Int(parts[0]), listener > 0 else {
                throw ValidationError("--output \(text): give a listener and two channels, as in 2=3,4.")
            }
            guard pairs[listener - 1] == nil else { throw ValidationError("--output \(text): listener \(listener) has channels already.") }
            do throws(DeviceError) { pairs[listener - 1] = try ChannelPair(String(parts[1])) } catch {
                throw ValidationError("--output \(text): \(error)")
            }
        }
        return pairs
    }
}
