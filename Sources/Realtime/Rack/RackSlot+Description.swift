public import Effects
public import RackCore

extension RackSlot {
    /// - Parameter enters: whether the slot is added to running sound and fades in.
    public init(
        _ slot: RackDescription.Slot, rate: Float, largestBlock: Int, response: ResponseSpectra? = nil, enters: Bool = false
    ) {
        self.init(
            slot.kind, values: slot.values, mix: slot.mix, bypass: slot.bypass, rate: rate, largestBlock: largestBlock,
            response: response, enters: enters)
    }
}
