internal import Glibc
internal import Web

/// A script library for browsers that is installed on the system, as by Debian's libjs packages.
struct SystemLibrary {
    /// Name of its package.
    let package: String
    /// Name of the folder below `javascript` that contains its files.
    let name: String
    private let files: StaticFiles

    /// - Parameter folders: data folders to look in, separated by colons; nil takes those of the XDG Base Directory
    ///   Specification (0.8).
    init(_ name: String, package: String, in folders: String? = nil) {
        self.name = name
        self.package = package
        let given = folders ?? getenv("XDG_DATA_DIRS").map { String(cString: $0) } ?? ""
        let places = (given.isEmpty ? "/usr/local/share:/usr/share" : given).split(separator: ":")
            .map { "\($0)/javascript/\(name)" }
        files = StaticFiles(places.first { access($0, R_OK | X_OK) == 0 })
    }

    /// - Parameter path: in the library's folder.
    func answer(_ path: String, _ request: Request) -> Response {
        guard files.exists else {
            return .text(404, "\(name) is not installed on the computer that runs the engine; install the package \(package)")
        }
        return files.answer(path, request)
    }
}
