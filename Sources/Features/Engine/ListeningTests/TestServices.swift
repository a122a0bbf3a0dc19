import Hub

/// Parts of the engine that a running listening test uses.
struct TestServices {
    let hub: Hub
    let playback: Playback
    let transport: Transport
    let telemetry: Telemetry
    let hrtf: HRTFLoaders
    let files: MessageFiles
    let writer: ResultsWriter
}
