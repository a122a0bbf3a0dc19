package import Hub
package import Web

/// The WebSockets of sound, and of the scene for clients that render it themselves.
package struct AudioRoutes: WebFeature {
    private let streams: AudioStreams
    private let hub: Hub

    package init(streams: AudioStreams, hub: Hub) { (self.streams, self.hub) = (streams, hub) }

    /// Kind of stream that the clients of a path receive.
    private struct Kind {
        let path: String
        /// Name in the documentation.
        let name: String
        /// Reason why no client can receive it, if any.
        let refusal: () -> Response?
        let source: (_ listener: Int) -> (any StreamSource)?
        /// Wishes that are assumed for a client without any.
        let wishes: StreamRequest?
    }

    package var routes: [Route] {
        let sound = Kind(path: "/audio", name: "[Sound](README.md#http)", refusal: { nil }, source: { streams[$0] }, wishes: nil)
        let scene = Kind(
            path: "/audio/scene", name: "[The scene](scene-stream.md)", refusal: { sceneRefusal }, source: { streams.scene?.scene(of: $0) },
            wishes: StreamRequest())
        return [sound, scene].flatMap { kind in
            [
                .socket(
                    RoutePath(kind.path + "/join"), .view, "\(kind.name) of a listener of the client's own.",
                    refusal: { kind.refusal() ?? joinRefusal($0) }, client: { join($0, kind) }),
                listener(RoutePath(kind.path + "/{listener}"), kind), listener(RoutePath(kind.path), kind),
            ]
        }
    }

    package func settle() { streams.settle() }

    private func listener(_ path: RoutePath, _ kind: Kind) -> Route {
        .socket(
            path, .view, path.isWhole ? "Answered with 404: the number of a listener is missing." : "\(kind.name) of a listener.",
            refusal: { exchange in
                if let refusal = kind.refusal() { return refusal }
                let isThere = streams[AudioStreams.number(exchange.rest)] != nil
                return isThere ? nil : .text(404, "there is no listener at \(exchange.request.path)")
            },
            client: { exchange in
                kind.source(AudioStreams.number(exchange.rest)).map { client($0, exchange, StreamRequest(exchange.request.query), kind) }
            })
    }

    private func client(
        _ source: any StreamSource, _ exchange: Exchange, _ wishes: StreamRequest?, _ kind: Kind, token: String? = nil
    ) -> AudioClient {
        AudioClient(source, token: token, wishes: wishes ?? kind.wishes, settings: streams.settings, wake: exchange.wake)
    }

    private var sceneRefusal: Response? {
        guard let scene = streams.scene else { return .text(404, "there is no scene: this engine has no listeners on the network") }
        return scene.refusal.map { .text(503, $0) }
    }

    private func joinRefusal(_ exchange: Exchange) -> Response? {
        streams.refusal(exchange.request.query("token"), streams.joins.count).map { .text(503, $0) }
    }

    /// A client with a listener of its own, once its turn has come. The headers of the request are not kept until then.
    private func join(_ exchange: Exchange, _ kind: Kind) -> JoiningClient {
        let (token, wishes) = (exchange.request.query("token"), StreamRequest(exchange.request.query))
        let joining = JoiningClient { [hub, streams] in
            do {
                let joined = try streams.join(token)
                return kind.source(joined.listener).map { client($0, exchange, wishes, kind, token: joined.token) }
            } catch {
                hub.notice("a client asked for a listener of its own: \(error)")
                return nil
            }
        }
        streams.joins.add(joining)
        return joining
    }
}
