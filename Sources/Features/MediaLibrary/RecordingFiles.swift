internal import FileOutput
package import Web

/// Serves the overview of the loaded recording, and its 360-degree video, whole or in byte ranges.
package struct RecordingFiles: WebFeature {
    private let overview: () -> [UInt8]?
    private let video: () -> String?

    /// - Parameters:
    ///   - overview: of the recording; nil while there is none.
    ///   - video: path of the video that is shown, without symbolic links; nil for none.
    package init(overview: @escaping () -> [UInt8]?, video: @escaping () -> String?) { (self.overview, self.video) = (overview, video) }

    package var routes: [Route] {
        [
            .get("/overview", .view, "A [picture of the recording](README.md#overview) that is loaded; 204 without one.") { _ in
                guard let bytes = overview() else { return .empty(204) }
                return Response(status: 200, headers: [("content-type:", "application/octet-stream")], body: .bytes(bytes))
            },
            .get("/video", .view, "The file of the recording's 360-degree video.") { video($0.request) },
        ]
    }

    private func video(_ request: Request) -> Response {
        guard let file = video() else { return .text(404, "the recording has no video, or one at another address") }
        let folder = FilePlace.folder(of: file)
        return .file(String(file.dropFirst(folder.count + 1)), in: folder, request) { response in
            // The same address leads to another file after a change of the recording.
            var response = response
            response.headers.append(("cache-control:", "no-cache"))
            return response
        }
    }
}

/// Serves the list of recordings that are packed for browsers, and their files.
package struct PackageFiles: WebFeature {
    private let folder: String?
    private let list: () -> [UInt8]?

    package init(_ packages: ListedFolder) { (folder, list) = (packages.path, packages.list) }

    package var routes: [Route] {
        [
            .get("/recordings/list.json", .view, "Recordings that are [packed for browsers](recording-package.md), as a list.") { _ in
                .json(200, bytes: folder.flatMap { _ in list() } ?? Array("[]".utf8))
            },
            .get("/recordings/{recording}/{file}", .view, "A file of a packed recording.") { exchange in
                guard let folder else { return .text(404, "this server has no packed recordings: start it with --packages FOLDER") }
                return .file(exchange.rest, in: folder, exchange.request)
            },
        ]
    }
}
