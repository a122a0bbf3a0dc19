internal import Glibc

/// A device file that MIDI bytes are read from, such as `/dev/snd/midiC1D0` or a serial line.
final class RawMIDIInput: MIDIPort {
    private let path: String
    private(set) var descriptor: Int32 = -1
    private var bytes = [UInt8](repeating: 0, count: 1024)

    init(path: String) { self.path = path }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func connect() -> [String] {
        if descriptor < 0 { open() }
        return descriptor < 0 ? [] : [path]
    }

    /// Opens the device for reading, without waiting for it.
    private func open() {
        descriptor = Glibc.open(path, O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0 else { return }
        guard fstat(descriptor, &status) == 0, [S_IFCHR, S_IFIFO].contains(status.st_mode & S_IFMT) else { return end() }
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return }
        // A terminal line would hold bytes back, and change some.
        cfmakeraw(&settings)
        tcsetattr(descriptor, TCSANOW, &settings)
    }

    private func end() {
        close(descriptor)
        descriptor = -1
    }

    func read(_ body: (ArraySlice<UInt8>) -> Void) -> Bool {
        while descriptor >= 0 {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count > 0 {
                body(bytes[..<count])
            } else if count < 0, errno == EAGAIN || errno == EINTR {
                return true
            } else {
                end()
            }
        }
        return false
    }
}
