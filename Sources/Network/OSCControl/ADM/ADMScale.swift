/// Conversion from the number in a message to the parameter's value.
enum ADMScale: Int {
    case asItIs, gain, distance
}
