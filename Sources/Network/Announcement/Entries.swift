internal import CServiceBus
internal import Glibc

/// Services in the form of the C interface, for the duration of a call.
struct Entries {
    private let services: [AnnouncedService]

    init(_ services: [AnnouncedService]) { self.services = services }

    func with<Result>(_ body: (UnsafeBufferPointer<service_entry>) -> Result) -> Result {
        var texts: [UnsafeMutablePointer<CChar>?] = []
        var lists: [UnsafeMutablePointer<UnsafePointer<CChar>?>] = []
        defer {
            for text in texts { free(text) }
            for list in lists { list.deallocate() }
        }
        let entries = services.map { service in
            let list = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: max(1, service.text.count))
            lists.append(list)
            for (index, line) in service.text.enumerated() {
                texts.append(strdup(line))
                list[index] = UnsafePointer(texts.last!)
            }
            texts.append(strdup(service.type))
            return service_entry(
                type: UnsafePointer(texts.last!), port: UInt16(clamping: service.port), text: UnsafePointer(list),
                text_count: Int32(service.text.count))
        }
        return entries.withUnsafeBufferPointer(body)
    }
}
