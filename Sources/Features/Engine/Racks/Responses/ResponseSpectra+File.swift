package import Effects
package import Media

extension ResponseSpectra {
    /// The spectra of a response that was read from a file.
    package convenience init(_ response: ImpulseResponse) {
        self.init(
            left: response.left, right: response.right, leftToRight: response.leftToRight, rightToLeft: response.rightToLeft,
            ownLevel: response.ownLevel)
    }
}
