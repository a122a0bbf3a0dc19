/// What is fed with whatever comes: one for each way in.
protocol FuzzTarget: AnyObject {
    /// Takes one input; ends the process when something that must hold does not.
    func take(_ bytes: UnsafeRawBufferPointer)
}
