import Broadcast

/// The Icecast server of the command line, and the connection to it once it is started; both nil without a server.
struct IcecastOutput {
    let settings: IcecastSettings?
    var source: IcecastSource?
}
