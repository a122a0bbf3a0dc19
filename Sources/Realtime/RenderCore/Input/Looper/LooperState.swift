/// State of the looper. Its raw value crosses from the audio thread to control.
public enum LooperState: Int, BitwiseCopyable, Sendable {
    case empty, waiting, recording, playing, overdubbing, stopped
}
