/// OSCQuery's HOST_INFO: the program's name, its ports, and the extensions it supports.
struct HostInfo: Encodable {
    let NAME = "Vestibule"
    let EXTENSIONS = Dictionary(
        uniqueKeysWithValues: [
            "ACCESS", "VALUE", "RANGE", "DESCRIPTION", "TAGS", "EXTENDED_TYPE", "UNIT", "CRITICAL", "CLIPMODE",
            "OVERLOADS", "HTML", "LISTEN", "PATH_CHANGED",
            "PATH_ADDED", "PATH_REMOVED", "PATH_RENAMED",
        ].map { ($0, true) })
    let OSC_IP: String
    let OSC_PORT: Int
    let OSC_TRANSPORT = "UDP"
    let WS_IP: String
    let WS_PORT: Int

    init(osc: (host: String, port: Int), http: (host: String, port: Int)) {
        (OSC_IP, OSC_PORT) = osc
        (WS_IP, WS_PORT) = http
    }
}
