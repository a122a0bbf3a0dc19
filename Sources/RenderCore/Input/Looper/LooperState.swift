/// State of the looper, in the order of the names that clients read.
public enum LooperState: Int, BitwiseCopyable, Sendable {
    case empty, waiting, recording, playing, overdubbing, stopped
}
