/// The answer to a request for one of the user's files. Another thread finds and opens it: a disk or a network may take long.
package struct FileAnswer: Sendable {
    /// Requests for files in one place are answered one after the other.
    let place: String
    /// Folder that holds the file. It may have been made since the start.
    let folder: String
    /// Relative to the folder.
    let path: String
    let conditions: FileConditions
    /// Completes or replaces the answer.
    let adapt: @Sendable (Response) -> Response

    /// Opens the file; called on another thread than the control thread.
    func make() -> Response { adapt(StaticFiles(folder).answer(path, conditions)) }
}

extension Response {
    /// A file that another thread opens and reads.
    package static func file(
        _ path: String, in folder: String, of place: String? = nil, _ request: Request,
        adapt: @escaping @Sendable (Response) -> Response = { $0 }
    ) -> Response {
        let answer = FileAnswer(place: place ?? folder, folder: folder, path: path, conditions: FileConditions(request), adapt: adapt)
        return Response(status: 200, body: .later(answer))
    }

    /// A download, or another answer where there is no such file.
    package static func download(_ path: String, in folder: String, _ request: Request, missing: String) -> Response {
        file(path, in: folder, request) { response in
            guard response.status < 300 || response.status == 304 || response.status == 416 else { return .text(404, missing) }
            var response = response
            response.headers.append(("content-disposition:", "attachment"))
            return response
        }
    }
}
