internal import FileOutput
internal import Foundation
internal import Hub
internal import Trust
internal import Web

/// The request that begins a resumable upload: its length, and its metadata as tus writes them (tus 1.0.0, Upload-Metadata): names and
/// values in base64, separated by commas.
struct UploadRequest {
    let kind: AcceptedFiles
    let upload: ResumableUpload

    /// - Throws: ``Refusal`` with the answer to a request that cannot be met.
    init(length: String?, metadata: String, kinds: [AcceptedFiles], now: Double) throws(Refusal) {
        guard let given = length else { throw Refusal(400, "an Upload-Length header is needed: the size of the file in bytes") }
        guard RequestForm.isDigits(given) else {
            let shown = LogText.line(String(given.prefix(32)))
            throw Refusal(400, "Upload-Length is \"\(shown)\"; send the size of the file in bytes, in digits only")
        }
        var values: [String: Data] = [:]
        for pair in metadata.split(separator: ",") {
            let parts = pair.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
            if parts.isEmpty { continue }
            guard parts.count <= 2, let data = Self.decoded(parts.count == 2 ? parts[1] : "") else {
                throw Refusal(400, "the Upload-Metadata header is not valid: names and values in base64, separated by commas")
            }
            let shown = LogText.line(String(parts[0].prefix(32)))
            guard values.updateValue(data, forKey: parts[0]) == nil else {
                throw Refusal(400, "the Upload-Metadata header has \(shown) twice")
            }
        }
        func text(_ name: String) throws(Refusal) -> String? {
            guard let data = values[name] else { return nil }
            guard let text = String(validating: data, as: UTF8.self) else {
                throw Refusal(400, "\(name) in Upload-Metadata is not text in UTF-8; encode it as UTF-8 before base64")
            }
            return text
        }
        let wanted = try text("kind")
        guard let kind = kinds.first(where: { $0.name == wanted }) else {
            let known = kinds.map(\.name).joined(separator: ", ")
            throw Refusal(400, "Upload-Metadata has no valid kind; the kinds are \(known)")
        }
        guard let name = try text("filename").map(FilePlace.composed) else { throw Refusal(400, "Upload-Metadata has no filename") }
        if let problem = kind.problem(name) { throw Refusal(400, "the name is refused: \(problem)") }
        guard let length = RequestForm.number(given), length <= kind.most else {
            throw Refusal(413, "the file has \(given.prefix(32)) bytes; \(kind.name) may have at most \(kind.most)")
        }
        guard length > 0 else { throw Refusal(400, "the file is empty") }
        let sha256 = try text("sha256")?.lowercased()
        guard sha256.map({ $0.utf8.count == 64 && $0.allSatisfy(\.isHexDigit) }) ?? true else {
            throw Refusal(400, "sha256 in Upload-Metadata is not 64 hexadecimal digits")
        }
        self.kind = kind
        upload = ResumableUpload(
            id: Secret.random(), kind: kind.name, name: name, length: length, sha256: sha256, replaces: try text("replace") == "true",
            begun: now, metadata: metadata)
    }

    /// Decodes a value in base64; some clients leave out its padding.
    private static func decoded(_ text: String) -> Data? {
        let bare = text.prefix { $0 != "=" }
        return Data(base64Encoded: text) ?? Data(base64Encoded: bare + String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4))
    }

    /// The answer to a request that cannot be met.
    struct Refusal: Error {
        let response: Response

        init(_ status: Int, _ reason: String) { response = .text(status, reason) }
    }
}

/// The request that sends a part of a resumable upload (tus 1.0.0, PATCH).
struct PartRequest {
    /// Bytes of the part.
    let size: Int
    let checksum: PartChecksum?

    /// - Parameters:
    ///   - isBusy: whether another part of the file is being received.
    ///   - received: bytes of the file that have been received.
    ///   - length: bytes of the whole file.
    /// - Throws: ``UploadRequest/Refusal`` with the answer to a request that cannot be met.
    init(_ request: Request, isBusy: Bool, received: Int, length: Int) throws(UploadRequest.Refusal) {
        let type = request.contentType?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        guard type == "application/offset+octet-stream" else {
            throw .init(415, "a part has the Content-Type application/offset+octet-stream")
        }
        guard !isBusy else { throw .init(423, "another part of this file is being received") }
        guard let given = request.customHeader("upload-offset:") else {
            throw .init(400, "an Upload-Offset header is needed: the number of bytes before this part")
        }
        let shown = LogText.line(String(given.prefix(32)))
        guard RequestForm.isDigits(given) else {
            throw .init(400, "Upload-Offset is \"\(shown)\"; send the number of bytes before this part, in digits only")
        }
        guard let offset = RequestForm.number(given), offset == received else {
            throw .init(409, "\(received) bytes of the file have been received, not \(shown)")
        }
        guard let size = request.contentLength else {
            throw .init(411, "a Content-Length header is needed: the size of the part")
        }
        guard size <= length - offset else {
            throw .init(413, "the file has \(length) bytes, of which \(length - offset) are missing; this part has \(size)")
        }
        self.size = size
        guard let given = request.customHeader("upload-checksum:") else {
            checksum = nil
            return
        }
        checksum = PartChecksum(given)
        guard checksum != nil else {
            throw .init(400, "an Upload-Checksum header is \"sha256 \" and 32 bytes, or \"sha1 \" and 20 bytes, in base64")
        }
    }
}

/// The checksum of a part of a resumable upload (tus 1.0.0, Upload-Checksum): the name of an algorithm, and the digest in base64.
struct PartChecksum: Sendable {
    /// Names of the algorithms; every server has to know SHA-1.
    static let names = "sha1,sha256"

    let algorithm: RunningDigest.Algorithm
    let bytes: [UInt8]

    /// - Returns: nil for a header that is not valid.
    init?(_ header: String) {
        let parts = header.split(separator: " ")
        guard parts.count == 2, let digest = Data(base64Encoded: String(parts[1])) else { return nil }
        switch (parts[0], digest.count) {
        case ("sha1", 20): algorithm = .sha1
        case ("sha256", 32): algorithm = .sha256
        default: return nil
        }
        bytes = [UInt8](digest)
    }
}
