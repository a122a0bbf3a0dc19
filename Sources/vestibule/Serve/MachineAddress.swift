import Glibc

/// Under which address the network reaches this machine.
enum MachineAddress {
    /// The first IPv4 address that is not loopback, of an interface that is up; nil when there is none.
    static var first: String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var next = list
        while let interface = next?.pointee {
            next = interface.ifa_next
            let flags = Int(interface.ifa_flags)
            guard let address = interface.ifa_addr, Int32(address.pointee.sa_family) == AF_INET,
                flags & Int(IFF_UP) != 0, flags & Int(IFF_LOOPBACK) == 0
            else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else { continue }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return nil
    }
}
