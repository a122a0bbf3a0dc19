/// Parameters by container, to find those below a path without a search of all addresses.
struct ContainerIndex: Sendable {
    private struct Contents: Sendable {
        /// Parameters directly in the container.
        var parameters: [Int] = []
        /// Paths of the containers directly in it.
        var containers: Set<Substring> = []
    }

    /// Contents of each container by its path, without a slash at its end; the root's path is empty.
    private var contents: [Substring: Contents] = [:]

    /// Adds a parameter at an address that is not in use.
    mutating func add(_ index: Int, at address: String) {
        var path = Self.container(of: address[...])
        var isNew = contents[path] == nil
        contents[path, default: Contents()].parameters.append(index)
        while isNew, !path.isEmpty {
            let above = Self.container(of: path)
            isNew = contents[above] == nil
            contents[above, default: Contents()].containers.insert(path)
            path = above
        }
    }

    /// Removes a parameter, and the containers that become empty.
    mutating func remove(_ index: Int, at address: String) {
        var path = Self.container(of: address[...])
        guard let place = contents[path]?.parameters.firstIndex(of: index) else { return }
        contents[path]?.parameters.remove(at: place)
        while let left = contents[path], left.parameters.isEmpty, left.containers.isEmpty {
            contents[path] = nil
            guard !path.isEmpty else { return }
            let above = Self.container(of: path)
            contents[above]?.containers.remove(path)
            path = above
        }
    }

    /// Whether any parameter is below a path.
    func holds(_ path: Substring) -> Bool { contents[path] != nil }

    /// Appends the parameters below a path, in no order.
    ///
    /// - Parameter isListed: whether to include the contents of a container; called only for containers below the path.
    func append(below path: Substring, where isListed: (Substring) -> Bool, to found: inout [Int]) {
        guard let inside = contents[path] else { return }
        found += inside.parameters
        for container in inside.containers where isListed(container) { append(below: container, where: isListed, to: &found) }
    }

    /// The path of the container that an address or a container is in.
    private static func container(of address: Substring) -> Substring {
        address.utf8.lastIndex(of: UInt8(ascii: "/")).map { address[..<$0] } ?? ""
    }
}
