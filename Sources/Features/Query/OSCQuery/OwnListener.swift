internal import Parameters

/// The listener that a client has proved to own. A login that may view may turn its head, and set parameters that affect no other listener.
struct OwnListener {
    /// From 1.
    let number: Int
    let token: String
    private let addresses: Set<String>

    init(number: Int, token: String) {
        (self.number, self.token) = (number, token)
        let own: [ListenerParameter] = [.ypr, .quaternion, .recenter, .method, .gain, .mute]
        addresses = Set(own.map { $0.address(number - 1) } + ListenerClient.allCases.map { $0.address(number - 1) })
    }

    /// Whether an address is one that the client may set; a pattern is none.
    func covers(_ address: String) -> Bool { addresses.contains(address) }
}
