internal import Glibc

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
