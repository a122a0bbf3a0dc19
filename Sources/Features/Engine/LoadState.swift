/// State of a file, or of filters, that are loaded in the background, as parameters report it: one word and, after a
/// colon, a detail.
enum LoadState: CustomStringConvertible {
    /// Nothing is to be loaded.
    case empty
    case waiting
    /// - Parameter detail: name, or completed share.
    case loading(String)
    /// - Parameter detail: name or length.
    case ready(String)
    /// - Parameter reason: a sentence for the user.
    case failed(String)

    var description: String {
        switch self {
        case .empty: ""
        case .waiting: "waiting"
        case .loading(let detail): "loading: \(detail)"
        case .ready(let detail): "ready: \(detail)"
        case .failed(let reason): "failed: \(reason)"
        }
    }
}
