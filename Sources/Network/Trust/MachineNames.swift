internal import Glibc

/// Names and addresses of this machine.
public enum MachineNames {
    /// The host name, and its form in multicast DNS; empty when a certificate cannot contain it.
    public static var names: [String] {
        var text = [CChar](repeating: 0, count: 256)
        guard gethostname(&text, text.count - 1) == 0 else { return [] }
        let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).lowercased()
        guard isName(name) else { return [] }
        return name.contains(".") ? [name] : [name, name + ".local"]
    }

    /// Whether a name has only letters, digits, hyphens and dots.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 253
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E: true
                default: false
                }
            }
    }

    /// Addresses of the interfaces that are up, without loopback and link-local addresses; IPv4 first.
    public static var addresses: [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [(family: Int32, text: String)] = []
        var next = list
        while let interface = next?.pointee {
            next = interface.ifa_next
            let flags = Int(interface.ifa_flags)
            guard let address = interface.ifa_addr, flags & Int(IFF_UP) != 0, flags & Int(IFF_LOOPBACK) == 0 else { continue }
            let family = Int32(address.pointee.sa_family)
            guard family == AF_INET || family == AF_INET6 else { continue }
            let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard getnameinfo(address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else { continue }
            let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            // An address with a scope, as fe80::1%eth0, is valid on this machine only.
            if !name.contains("%") { found.append((family, name)) }
        }
        return found.filter { $0.family == AF_INET }.map(\.text) + found.filter { $0.family == AF_INET6 }.map(\.text)
    }
}
