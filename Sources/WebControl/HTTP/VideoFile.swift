internal import FileOutput

/// Serves the recording's 360-degree video at `/video`, whole or in byte ranges, to everyone who may listen.
struct VideoFile {
    static let path = "/video"
    private let file: () -> String?

    /// - Parameter file: path of the video that is shown, without symbolic links; nil for none.
    init(_ file: @escaping () -> String?) { self.file = file }

    func answer(_ request: Request) -> Response {
        guard let file = file() else { return .text(404, "the recording has no video, or one at another address") }
        var response = StaticFiles(FilePlace.folder(of: file)).answer(String(file.dropFirst(FilePlace.folder(of: file).count + 1)), request)
        // The same address leads to another file after a change of the recording.
        response.headers.append(("cache-control:", "no-cache"))
        return response
    }
}
