/// A part of the program that reads input from outside.
protocol FuzzTarget: AnyObject {
    /// Reads one input. Ends the process when a condition that must always hold does not.
    func run(_ bytes: UnsafeRawBufferPointer)
}
