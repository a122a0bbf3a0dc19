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
