import Testing

@testable import MediaLibrary

/// Queries of the media library.
@Suite struct LibraryQueryTests {
    private func query(_ fields: [String: String]) throws(LibraryQuery.Problem) -> LibraryQuery? { try LibraryQuery { fields[$0] } }

    @Test func fieldsAreReadAndTheRestIsUsual() throws {
        #expect(try query([:]) == nil && query(["copy": "1"]) == nil)
        let found = try #require(try query(["search": "west wind+%41", "order": "size", "count": "1000"]))
        #expect((found.search, found.kind, found.tag) == ("west wind+%41", "", ""))
        #expect((found.order, found.from, found.count) == (.size, 0, 1000))
        #expect(try query(["kind": "100%"])?.kind == "100%" && query(["from": "7"])?.count == 100)
    }

    @Test func wrongFieldsAreRefused() {
        for fields in [["order": "colour"], ["order": ""], ["count": "0"], ["count": "1001"], ["from": "-1"], ["from": "x"]] {
            #expect(throws: LibraryQuery.Problem.self) { _ = try query(fields) }
        }
    }
}
