import Testing

@testable import WebControl

/// Room for files that are being received.
@Suite struct UploadRoomTests {
    @Test func wholeFilesCountUntilTheyHaveEnded() {
        var (left, known): (Int64?, [Int64]) = (nil, [])
        let room = UploadRoom(hasRoom: { bytes in left.map { bytes <= $0 } }, onFile: { known.append($0) })
        #expect(room.promise(10, to: "a")?.status == 503)
        left = 100
        #expect(room.promise(60, to: "a") == nil)
        #expect(room.promise(41, to: "b")?.status == 413)
        #expect(room.promise(40, to: "b") == nil)
        room.end("b", isStored: false)
        #expect(known.isEmpty && room.promise(40, to: "c") == nil)
        room.end("a", isStored: true)
        room.end("a", isStored: true)
        #expect(known == [60])
        room.restore(1000, to: "old")
        #expect(room.promise(1, to: "d")?.status == 413)
    }
}
