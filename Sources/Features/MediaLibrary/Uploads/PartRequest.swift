internal import Foundation
internal import Hub
internal import Web

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
