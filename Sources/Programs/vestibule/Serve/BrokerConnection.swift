import MQTT

/// The MQTT broker of the command line, and the connection to it once it is started; both nil without a broker.
struct BrokerConnection {
    let settings: MQTTSettings?
    var bridge: MQTTBridge?
}
