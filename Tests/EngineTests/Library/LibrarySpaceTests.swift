import Testing

@testable import Engine

/// Space of the media library for files that come while the engine runs.
@Suite struct LibrarySpaceTests {
    @Test func countsFilesUntilAScanHasFoundThem() {
        let space = LibrarySpace(limit: 1000)
        #expect(space.room == 0 && !space.isKnown)
        space.endScan(present: 400)
        #expect(space.room == 600 && space.isKnown)
        #expect(space.promise(100, to: "a") == true && space.room == 500)
        space.end("a", isStored: true)
        #expect(space.room == 500)
        space.beginScan()
        #expect(space.promise(50, to: "b") == true)
        space.end("b", isStored: true)
        // The scan may or may not have found the first file.
        #expect(space.room == 450)
        space.endScan(present: 500)
        #expect(space.room == 450)
        space.endScan(present: 2000)
        #expect(space.room == 0)
    }

    @Test func wholeFilesCountUntilTheyHaveEnded() {
        let space = LibrarySpace(limit: 100)
        #expect(space.promise(10, to: "a") == nil)
        space.endScan(present: 0)
        #expect(space.promise(60, to: "a") == true)
        #expect(space.promise(41, to: "b") == false)
        #expect(space.promise(40, to: "b") == true)
        space.end("b", isStored: false)
        #expect(space.promise(40, to: "c") == true)
        // Another promise to the same file replaces the first one, or leaves it.
        #expect(space.promise(61, to: "a") == false && space.room == 0)
        #expect(space.promise(50, to: "a") == true && space.room == 10)
        for _ in 0..<2 { space.end("a", isStored: true) }
        #expect(space.room == 10)
        space.renew(1000, to: "old")
        #expect(space.promise(1, to: "d") == false)
    }

    @Test func hasNoLimitWithoutOne() {
        let space = LibrarySpace(limit: nil)
        #expect(space.room == nil && space.isKnown && space.promise(.max, to: "a") == true)
    }
}
