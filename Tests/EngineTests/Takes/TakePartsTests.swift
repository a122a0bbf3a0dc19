import Crossing
import FileOutput
import Foundation
import Parameters
import Pose
import RenderInterface
import TestSupport
import Testing

@testable import Engine
@testable import Render

/// Parts of takes under loss: sound and motion that arrive in many pieces.
@Suite struct TakePartsTests {
    private static let mono: [Float] = [1, 1]

    /// Writes a frame of every second sample.
    private func write(_ tap: inout TakeTap, pieces: Range<Int>) {
        for piece in pieces { tap.write(Self.mono, Self.mono, frames: 1, at: Int64(2 * piece)) }
    }

    @Test func aSourceInManyPiecesIsKeptFurther() {
        let pair = TakeTap.pair(.ears(0), channels: 2, capacity: 4096)
        let inlet = TakeInlet(.ears(0), channels: 2, capacity: 4096, pair.outlet)
        var tap = pair.tap
        // More pieces than there are marks, some dozen per turn.
        for turn in 0..<100 {
            write(&tap, pieces: 12 * turn..<12 * (turn + 1))
            inlet.trim(to: 2048, newest: 0)
        }
        #expect(inlet.run() == 1 && inlet.available > 190 && inlet.sample + Int64(2 * inlet.available) == 2400)
        // Sound that is older than what is kept is left out, however little there is.
        inlet.trim(to: 2048, newest: 2300 + 2048)
        #expect(inlet.sample >= 2300 && inlet.available > 0)
        inlet.trim(to: 2048, newest: 2400 + 2048)
        #expect(inlet.available == 0)
    }

    private func request(_ folder: TestFolder) -> TakeRequest {
        TakeRequest(
            folder: TakeFolder(folder.path("takes")), name: "", date: Date(), sample: 0, lead: 0, format: "wav", rate: 48_000, period: 64,
            isProtected: false, listeners: 1, objects: 0, session: [])
    }

    @Test func aTakeWithTooManyGapsCanBeRead() throws {
        let folder = TestFolder()
        try FileManager.default.createDirectory(atPath: folder.path("take"), withIntermediateDirectories: true)
        let pair = TakeTap.pair(.ears(0), channels: 2, capacity: 4096)
        let inlet = TakeInlet(.ears(0), channels: 2, capacity: 4096, pair.outlet)
        var tap = pair.tap
        let file = try TakeSoundFile(inlet, folder: folder.path("take"), request: request(folder)) {}
        let pieces = 20_000
        for piece in stride(from: 0, to: pieces, by: 100) {
            write(&tap, pieces: piece..<piece + 100)
            try file.drain(inlet, from: 0, until: .max)
        }
        try file.finish()
        #expect(file.written == Int64(2 * pieces - 1) && file.lost == Int64(pieces - 1))
        var record = TakeRecord(
            date: "", rate: 48_000, period: 64, sample: 0, start: 0, isProtected: false, listeners: 1, objects: 0, files: [file.record])
        record.motionLost = 3
        try record.write(folder.path("take"))
        let read = try TakeRecord.read(folder.path("take"))
        #expect(read == record && read.lost == Int64(pieces - 1))
        let gaps = read.files[0].gaps
        #expect((2048...4096).contains(gaps.count) && gaps.count + (read.files[0].joined ?? 0) == pieces - 1)
        #expect(zip(gaps, gaps.dropFirst()).allSatisfy { $0.frame + $0.frames < $1.frame })
        #expect(gaps.last.map { $0.frame + $0.frames } == Int64(2 * pieces - 2))
        let faults = TakeCheck(folder.path("take")).faults
        #expect(faults.contains { $0.contains("in more gaps than take.json can list") })
        #expect(faults.contains { $0.hasPrefix("3 steps of heads and objects were lost") })
        // A description that could not be read is not written.
        record.files[0].gaps = Array(repeating: gaps[0], count: 9000)
        #expect(throws: (any Error).self) { try record.write(folder.path("take")) }
        #expect(try TakeRecord.read(folder.path("take")) == read)
    }

    /// Sixty-four heads that turn with each block, while the disk does not answer for ten seconds.
    @Test func motionWaitsAsLongAsSound() {
        let lines = TakeConnections(wired: 64, listeners: 64, objects: 0, workers: 0, rate: 48_000, period: 64)
        var motion = lines.motion.take()
        var heads = lines.heads.take()
        let gate = lines.isMotionWanted.take()
        gate.set(true)
        var pose = HeadPose.ahead
        func turn(_ blocks: Range<Int>) {
            for block in blocks {
                motion.begin()
                for listener in 0..<64 {
                    motion.note(listener, SIMD4(1, Float(block + 1), 0, 0), .zero, of: &pose, at: Int64(64 * block))
                }
            }
        }
        turn(0..<7500)
        #expect(lines.lostMotion[0] == 0)
        turn(7500..<9000)
        let lost = lines.lostMotion[0]
        var count = 0
        while heads.pop() != nil { count += 1 }
        #expect(lost > 0 && count + lost == 64 * 9000)
    }

    @Test func theTakesBeyondTheListAreThere() throws {
        let folder = TestFolder()
        let takes = TakeFolder(folder.path("takes"))
        let names = (0..<TakeFolder.mostListed + 2).map { String(format: "2026-01-01-%06d", $0) }
        for name in names {
            let place = takes.path + "/" + name
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try TakeRecord(
                date: "", rate: 48_000, period: 64, sample: 0, start: 0, isProtected: false, listeners: 1, objects: 0, files: []
            ).write(place)
        }
        let list = TakeList(takes, current: nil, most: TakeFolder.mostListed)
        #expect(list.total == names.count && list.takes.map(\.name) == names.suffix(TakeFolder.mostListed).reversed())
        #expect(TakeList(takes, current: nil).takes.count == names.count)
        try takes.delete(names[0])
        #expect(takes.names.count == names.count - 1)
        for name in [names[0], ".", "..", "", ".trash", "../takes/" + names[1]] {
            #expect(throws: (any Error).self) { try takes.delete(name) }
        }
        #expect(takes.names.count == names.count - 1)
    }
}
