import Binaural
import Crossing
import Media

/// A recording that the renderer is to play after the current one, unless it is withdrawn before.
struct ComingRecording {
    let opened: OpenedRecording
    let array: MicrophoneArray
    let warnings: [String]
    let claim: Claim
}
