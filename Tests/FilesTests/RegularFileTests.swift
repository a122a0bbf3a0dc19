import Files
import Foundation
import TestSupport
import Testing

@Suite final class RegularFileTests {
    private let temporary = TemporaryFolder()
    var folder: String { temporary.path }

    func path(_ name: String) -> String { folder + "/" + name }

    func write(_ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(filePath: path("file")))
        return path("file")
    }

    func refusal(_ path: String, followsLinks: Bool = true) -> FileError? {
        do {
            _ = try RegularFile(path, followsLinks: followsLinks)
            return nil
        } catch { return error }
    }

    @Test func contentsAreRead() throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let file = try RegularFile(try write(bytes))
        #expect(file.size == bytes.count)
        #expect(try file.bytes(atMost: bytes.count) == bytes)
        var part = [UInt8](repeating: 0, count: 10)
        #expect(part.withUnsafeMutableBytes { file.read(into: $0, at: 500) })
        #expect(part == Array(bytes[500..<510]))
        #expect(!part.withUnsafeMutableBytes { file.read(into: $0, at: bytes.count - 9) })
    }

    /// Files of /proc are regular, but announce a size of 0.
    @Test func generatedFilesAreRead() throws {
        #expect(try RegularFile.text("/proc/self/status").hasPrefix("Name:"))
        #expect(throws: FileError.self) { try RegularFile("/proc/self/status").bytes(atMost: 10) }
    }

    /// Opening a FIFO without a writer would wait for ever.
    @Test(.timeLimit(.minutes(1))) func nothingButFilesIsOpened() throws {
        #expect(mkfifo(path("fifo"), 0o600) == 0)
        #expect(refusal(path("fifo"))?.reason == "it is a FIFO (named pipe), not a regular file")
        #expect(refusal("/dev/zero")?.reason == "it is a device, not a regular file")
        #expect(refusal(folder)?.reason == "it is a folder, not a regular file")
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The path of a socket is short.
        let name = "/tmp/v-\(UUID().uuidString.prefix(8))"
        defer { unlink(name) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
        }
        #expect(bound == 0)
        #expect(refusal(name)?.reason.contains("socket") == true)
        for text in ["", "a\0b"] { #expect(refusal(text)?.isMissing == true) }
        #expect(refusal(path("none"))?.isMissing == true)
        #expect(refusal(path("none"))?.description == "\(path("none")) cannot be read: No such file or directory; name a file that exists.")
    }

    @Test func linksAreFollowedOnRequest() throws {
        let file = try write([1])
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: file)
        #expect(refusal(path("link")) == nil)
        #expect(refusal(path("link"), followsLinks: false)?.remedy.contains("link") == true)
    }

    @Test func sizeAndEncodingAreLimited() throws {
        let file = try RegularFile(try write([0xFF, 0xFE, 0x41]))
        #expect(throws: FileError.self) { try file.bytes(atMost: 2) }
        #expect(throws: FileError.self) { try file.text() }
        // A sparse file of 1 TB takes no memory.
        #expect(truncate(path("file"), 1 << 40) == 0)
        let huge = try RegularFile(path("file"))
        #expect(throws: FileError.self) { try huge.text() }
    }

    /// Editors on Windows write a byte order mark before UTF-8 text, or UTF-16.
    @Test func byteOrderMarksAreNoText() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try RegularFile.text(write(mark + Array("{}".utf8))) == "{}")
        #expect(try RegularFile.text(write(mark)) == "")
        #expect(try RegularFile.text(write(Array("a\u{FEFF}".utf8))) == "a\u{FEFF}")
        let secret = try write(mark + Array("word\r\n".utf8))
        chmod(secret, 0o600)
        #expect(try RegularFile.secretLine(secret, "password") == "word")
        let error = #expect(throws: FileError.self) { try RegularFile.text(write([0xFF, 0xFE, 0x7B, 0])) }
        #expect(error?.description.contains("it is UTF-16 text; save it as UTF-8") == true)
    }
}
