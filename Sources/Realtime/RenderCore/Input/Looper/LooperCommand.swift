/// Requests to the looper, one for each button.
public enum LooperCommand: Int, BitwiseCopyable, Sendable {
    case record, overdub, play, undo, redo, clear
}
