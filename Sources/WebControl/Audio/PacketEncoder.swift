/// Encodes packets of sound for the network. One encoder serves all clients of one listener.
public protocol PacketEncoder {
    /// Name of the format in the first text frame.
    var format: String { get }

    /// Appends `samples` to `bytes`.
    /// - Parameter samples: interleaved left and right; 1.0 is full scale.
    mutating func encode(_ samples: UnsafeBufferPointer<Float>, into bytes: inout [UInt8])
}
