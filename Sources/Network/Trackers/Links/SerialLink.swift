internal import Glibc
internal import Links

/// Link to a tracker on a serial line: opens the line, reads packets, and reopens the line after it was unplugged.
final class SerialLink: TrackerLink {
    private let thread: LinkThread

    /// Milliseconds between two attempts to open the line.
    private static let retry: Int32 = 500

    /// - Parameters:
    ///   - path: path of its file; nil for the first USB serial line.
    ///   - splitter: splits bytes into packets.
    ///   - output: descriptor for packets, closed by the link.
    ///   - report: receives messages for the user, on the thread: faults of the line, and its return.
    /// - Throws: ``TrackerSourceError`` for an unsupported bit rate, or without a thread; `output` then stays open.
    init(
        path: String?, baud: Int, splitter: PacketSplitter, output: Int32, report: @escaping @Sendable (String) -> Void
    ) throws(TrackerSourceError) {
        guard let speed = SerialLine.speed(baud) else {
            throw TrackerSourceError(
                text: path ?? "serial", reason: "\(baud) bits per second is not a serial bit rate; try 9600 or 115200")
        }
        thread = try LinkThread(tracker: path ?? "serial", name: "tracker serial", output: output) { thread in
            var lastReport = ""
            func reportChange(_ text: String) {
                if text != lastReport { report(text) }
                lastReport = text
            }
            while !thread.shouldEnd {
                guard let name = path ?? SerialLine.first() else {
                    reportChange("no USB serial port found; waiting for one")
                    _ = thread.wait(milliseconds: Self.retry)
                    continue
                }
                switch SerialLine.open(name, speed) {
                case .success(let descriptor):
                    if !lastReport.isEmpty { reportChange("\(name) is connected") }
                    Self.read(descriptor, splitter, thread)
                    close(descriptor)
                    if !thread.shouldEnd { reportChange("\(name) was disconnected; waiting for it to return") }
                case .failure(let problem): reportChange("\(name) \(problem.words); retrying")
                }
                _ = thread.wait(milliseconds: Self.retry)
            }
        }
    }

    func stop(waits: Bool) { thread.stop(waits: waits) }

    /// Reads until the line is closed or the thread has to end.
    private static func read(_ descriptor: Int32, _ splitter: PacketSplitter, _ thread: LinkThread) {
        var splitter = splitter
        var bytes = [UInt8](repeating: 0, count: 4096)
        while !thread.shouldEnd {
            guard thread.wait(descriptor, milliseconds: -1) else { continue }
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return }
            for packet in splitter.take(bytes[..<count]) { thread.send(packet) }
        }
    }
}

/// Serial lines of the system.
enum SerialLine {
    struct Problem: Error {
        let words: String
    }

    /// The system's constant for a bit rate; nil for a rate it does not support.
    static func speed(_ baud: Int) -> speed_t? {
        let rates: [Int: Int32] = [
            1200: B1200, 2400: B2400, 4800: B4800, 9600: B9600, 19_200: B19200, 38_400: B38400, 57_600: B57600,
            115_200: B115200, 230_400: B230400, 460_800: B460800, 500_000: B500000, 576_000: B576000, 921_600: B921600,
            1_000_000: B1000000, 1_500_000: B1500000, 2_000_000: B2000000,
        ]
        return rates[baud].map { speed_t($0) }
    }

    /// Path of the first USB serial line in the order of the kernel's names; nil without one.
    static func first() -> String? {
        guard let folder = opendir("/dev") else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name.hasPrefix("ttyACM") || name.hasPrefix("ttyUSB") { names.append(name) }
        }
        return names.min().map { "/dev/" + $0 }
    }

    /// Opens a line for reading: eight bits, no parity, raw.
    static func open(_ path: String, _ speed: speed_t) -> Result<Int32, Problem> {
        let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let words =
                switch errno {
                case ENOENT, ENODEV, ENXIO: "does not exist"
                case EACCES: "is not readable by this user; run `sudo usermod -a -G dialout $USER` and log in again"
                case EBUSY: "is in use"
                default: "cannot be opened: \(String(cString: strerror(errno)))"
                }
            return .failure(Problem(words: words))
        }
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else {
            close(descriptor)
            return .failure(Problem(words: "is not a serial port"))
        }
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        cfsetspeed(&settings, speed)
        tcsetattr(descriptor, TCSANOW, &settings)
        // Data that was buffered before the line was opened is out of date.
        tcflush(descriptor, TCIFLUSH)
        return .success(descriptor)
    }
}
