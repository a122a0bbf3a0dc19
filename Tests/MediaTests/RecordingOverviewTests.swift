import Testing

@testable import Media

@Suite struct RecordingOverviewTests {
    let fixture = SoundFixture()

    private func sample(_ frame: Int, _ channel: Int) -> Float { sine(200 + 300 * Double(channel), 48000, frame, level: 0.2) }

    @Test func givenUpReadingReturnsNothing() throws {
        let path = fixture.write("a.wav", channels: 4, frames: 100_000, sample: sample)
        var calls = 0
        let overview = try RecordingOverview.read(path: path) { _ in
            calls += 1
            return calls < 3
        }
        #expect(overview == nil)
        #expect(calls == 3)
    }

    @Test func aFolderHasTheOverviewOfTheSameFile() throws {
        let path = fixture.write("a.wav", channels: 4, frames: 30_000, sample: sample)
        let parts = SoundFixture()
        for channel in 0..<4 { parts.write("\(channel + 1).wav", channels: 1, frames: 30_000) { frame, _ in sample(frame, channel) } }
        let whole = try #require(try RecordingOverview.read(path: path) { _ in true })
        let folder = try #require(try RecordingOverview.read(path: parts.folder) { _ in true })
        #expect(whole == folder)
        #expect([whole.columns, whole.slices, whole.rows] == [2048, 512, 64])
        let bytes = 40 + 4 * 2048 + 512 * 64
        #expect(whole.bytes.count == bytes)
    }
}
