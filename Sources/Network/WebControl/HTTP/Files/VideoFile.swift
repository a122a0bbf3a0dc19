internal import FileOutput

/// Serves the recording's 360-degree video at `/video`, whole or in byte ranges, to every client that may listen.
struct VideoFile {
    static let path = "/video"
    private let file: () -> String?

    /// - Parameter file: path of the video that is shown, without symbolic links; nil for none.
    init(_ file: @escaping () -> String?) { self.file = file }

    func answer(_ request: Request) -> Response {
        guard let file = file() else { return .text(404, "the recording has no video, or one at another address") }
        let folder = FilePlace.folder(of: file)
        return .file(String(file.dropFirst(folder.count + 1)), in: folder, request) { response in
            // The same address leads to another file after a change of the recording.
            var response = response
            response.headers.append(("cache-control:", "no-cache"))
            return response
        }
    }
}
