/// How the number of a message becomes the number of a parameter.
enum ADMScale: Int {
    case asItIs, gain, distance
}
