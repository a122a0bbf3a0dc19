import Glibc
import MIDI
import Synchronization
import TestSupport
import Testing

@testable import Links

/// The thread that reads MIDI ports, with a simulated port, a device file and no sequencer.
@Suite struct MIDIInputTests {
    @Test func messagesAndNamesArrive() throws {
        let wakes = Atomic(0)
        let queue = MIDIQueue { wakes.add(1, ordering: .relaxed) }
        let port = SimulatedPort()
        port.plug(["Knobs"])
        let input = try MIDIInput(port, queue: queue)
        defer { input.stop() }
        var names: [String]?
        waitUntil("the device is named") {
            names = queue.takeNames() ?? names
            return names == ["Knobs"]
        }
        // In pieces, with running status.
        port.write([0xB0, 7])
        port.write([1, 7, 2])
        port.write([0xF8, 0xC3, 9])
        var messages: [MIDIMessage] = []
        var times: [UInt64] = []
        waitUntil("three messages") {
            for received in queue.take() {
                messages.append(received.message)
                times.append(received.time)
            }
            return messages.count >= 3
        }
        #expect(messages == [MIDIMessage(0xB0, 7, 1), MIDIMessage(0xB0, 7, 2), MIDIMessage(0xC3, 9)].compactMap(\.self))
        #expect(times == times.sorted() && times.allSatisfy { $0 > 0 })
        #expect(wakes.load(ordering: .relaxed) >= 2)
    }

    @Test func anUnpluggedDeviceReturns() throws {
        let queue = MIDIQueue {}
        let port = SimulatedPort()
        port.plug(["Pedal"])
        let input = try MIDIInput(port, queue: queue)
        defer { input.stop() }
        var names: [[String]] = []
        func note() -> [[String]] {
            if let new = queue.takeNames() { names.append(new) }
            return names
        }
        waitUntil("it is there") { note().last == ["Pedal"] }
        // A message that the device had begun is forgotten.
        port.write([0xB0, 7])
        port.unplug()
        waitUntil("it is gone") { note().last == [] }
        port.plug(["Pedal"])
        waitUntil("it is back") { note().last == ["Pedal"] }
        port.write([100, 0xB0, 7, 50])
        var messages: [MIDIMessage] = []
        waitUntil("a message") {
            messages += queue.take().map(\.message)
            return !messages.isEmpty
        }
        #expect(messages == [MIDIMessage(0xB0, 7, 50)].compactMap(\.self))
    }

    /// A FIFO stands for a raw MIDI device: it is opened without waiting, and again when its writer has gone.
    @Test func deviceFiles() throws {
        let path = "/tmp/vestibule-midi-\(getpid())"
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let queue = MIDIQueue {}
        let inputs = MIDIInputs([path], queue: queue) { Issue.record("\($0)") }
        defer { inputs.stop() }
        var names: [String]?
        for value in UInt8(1)...2 {
            waitUntil("the device is open") {
                names = queue.takeNames() ?? names
                return names == [path]
            }
            let writer = open(path, O_WRONLY | O_NONBLOCK)
            try #require(writer >= 0)
            #expect(write(writer, [0xB0, 7, value], 3) == 3)
            var messages: [MIDIMessage] = []
            waitUntil("its message") {
                messages += queue.take().map(\.message)
                return !messages.isEmpty
            }
            #expect(messages == [MIDIMessage(0xB0, 7, value)].compactMap(\.self))
            close(writer)
            // A second later it is open again, which may be all that a test that stalls meanwhile learns.
            waitUntil("its end") {
                names = queue.takeNames()
                return names != nil
            }
        }
    }

    /// A regular file is no device, and a missing sequencer matters only where a device is named.
    @Test func absentDevices() {
        let queue = MIDIQueue {}
        let regular = RawMIDIInput(path: "/etc/hostname")
        #expect(regular.connect().isEmpty && regular.descriptor == -1)
        #expect(RawMIDIInput(path: "/dev/no-such-device").connect().isEmpty)
        let said = Mutex<[String]>([])
        for names in [[], ["none"], ["Knobs"]] {
            let inputs = MIDIInputs(names, queue: queue) { text in said.withLock { $0.append(text) } }
            inputs.stop()
        }
        let lines = said.withLock { $0 }
        if access("/dev/snd/seq", F_OK) == 0 {
            #expect(lines.isEmpty)
        } else {
            #expect(lines.count == 1 && lines[0].contains("/dev/snd/seq"))
        }
    }

    @Test func aFullQueueDropsTheNewest() {
        let queue = MIDIQueue {}
        for number in 0..<5000 {
            queue.push(ReceivedMIDI(message: MIDIMessage(0xB0, UInt8(number % 100), UInt8(number % 128))!, time: UInt64(number)))
        }
        #expect(queue.take().map(\.time) == (0..<4096).map(UInt64.init))
        #expect(queue.take().isEmpty)
    }

    @Test func devicesAreFoundByEitherName() {
        let device = SequencerDevice(client: 20, port: 0, titles: ["Launch Control XL", "MIDI 1"], isHardware: true)
        #expect(device.isNamed("launch") && device.isNamed("midi 1") && !device.isNamed("nano"))
        #expect(device.name == "Launch Control XL: MIDI 1")
    }
}
