import Glibc

/// Limit on the descriptors of this process (`ulimit -n`): every connection takes one.
enum DescriptorLimit {
    /// Enough for thousands of clients. The web server's tables grow with the limit, 16 bytes for each descriptor.
    private static let most: rlim_t = 65_536

    /// Raises the soft limit to the hard one, up to ``most``. A higher soft limit stays.
    static func raise() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < min(limit.rlim_max, most) else { return }
        limit.rlim_cur = min(limit.rlim_max, most)
        setrlimit(resource, &limit)
    }
}
