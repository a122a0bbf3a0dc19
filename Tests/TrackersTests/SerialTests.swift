import CRealtime
import Foundation
import Hub
import Parameters
import Pose
import TestSupport
import Testing
import Trackers

/// A serial line without a board: a pseudo terminal, with a symbolic link to its other end.
final class Board {
    private var master: Int32 = -1
    private let folder = TemporaryFolder()
    var path: String { folder.path("board") }

    deinit { unplug() }

    func plug() throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        // Queries the number of the other end and unlocks it (Linux: TIOCGPTN, TIOCSPTLCK).
        var number: Int32 = -1
        var isLocked: Int32 = 0
        try #require(ioctl(master, 0x8004_5430, &number) == 0 && ioctl(master, 0x4004_5431, &isLocked) == 0)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/pts/\(number)")
    }

    func unplug() {
        guard master >= 0 else { return }
        try? FileManager.default.removeItem(atPath: path)
        close(master)
        master = -1
    }

    func send(_ text: String) { _ = write(master, text, text.utf8.count) }
}

@Suite struct SerialTests {
    func isNear(_ values: [Float], _ expected: [Float]) -> Bool { zip(values, expected).allSatisfy { abs($0 - $1) < 0.15 } }

    @Test func boardIsReadAgainAfterReconnecting() throws {
        let board = Board()
        let said = ReportedMessages()
        let rig = try ManagerRig { source, output in try TrackerLinks.make(source, output) { said.add($0) } }
        // The device does not exist yet: the link waits for it.
        #expect(rig.set(.source, 0, [.string("bno055:\(board.path)")]) == .done)
        #expect(rig.until { said.all.contains { $0.contains("does not exist; retrying") } })
        // The head stays where it is, however long the line is gone.
        rig.set(.timeout, 0, [.float(0)])
        try board.plug()
        #expect(
            rig.until {
                board.send("-030.0+020.0+010.0")
                return self.isNear(rig.angles(1), [30, 20, 10])
            })
        #expect(rig.value(.source) == .text("bno055:\(board.path)"))
        board.unplug()
        #expect(rig.until { said.all.contains { $0.contains("was disconnected") } })
        rig.pass(seconds: 1)
        #expect(rig.value(.state) == .number(3))
        #expect(isNear(rig.angles(1), [30, 20, 10]))
        try board.plug()
        #expect(
            rig.until {
                board.send("+045.0-010.0+000.0")
                return self.isNear(rig.angles(1), [-45, -10, 0])
            })
        #expect(said.all.contains { $0.contains("is connected") })
        // The link ends with the tracker.
        #expect(rig.set(.source, 0, [.string("")]) == .done)
        board.send("-090.0+000.0+000.0")
        holds("a tracker that is no longer used does not turn the head") { isNear(rig.angles(1), [-45, -10, 0]) }
    }

    @Test func linesOfQuaternionsAtAnotherRate() throws {
        let board = Board()
        try board.plug()
        let rig = try ManagerRig()
        #expect(rig.set(.source, 0, [.string("serial-quaternion:\(board.path),57600")]) == .done)
        #expect(
            rig.until {
                board.send("w=0.70711 x=0 y=0 z=0.70711\r\n")
                return self.isNear(rig.angles(1), [90, 0, 0])
            })
        #expect(rig.value(.source) == .text("serial-quaternion:\(board.path),57600"))
        // Invalid lines are reported and do not turn a head.
        board.send("calibrating...\r\n")
        #expect(rig.until { rig.value(.problem).text?.isEmpty == false })
        #expect(isNear(rig.angles(1), [90, 0, 0]))
    }

    @Test func invalidSerialSourcesAreRefused() throws {
        let rig = try ManagerRig()
        for (wrong, words) in [
            ("bno055:ttyACM0", "is not a serial port"), ("bno055:/dev/null,9600,1", "is not a bit rate"),
            ("bno055:/dev/ttyACM0,9601", "is not a serial bit rate"),
        ] {
            guard case .refused(let text) = rig.set(.source, 0, [.string(wrong)]) else {
                Issue.record("\(wrong) was taken")
                continue
            }
            #expect(text.contains(words), "\(text)")
        }
    }

    /// The link waits for the absent device, and for the sequencer.
    @Test func missingMIDIDeviceIsReported() throws {
        let said = ReportedMessages()
        let rig = try ManagerRig { source, output in try TrackerLinks.make(source, output) { said.add($0) } }
        let reply = rig.set(.source, 0, [.string("supperware:No such device")])
        let words = access("/dev/snd/seq", F_OK) == 0 ? "no MIDI port named No such device found; waiting for it" : "no MIDI sequencer"
        #expect(reply == .done && rig.until { said.all.contains { $0.contains(words) } })
    }
}
