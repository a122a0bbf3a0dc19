internal import Streaming

/// The page and the WebSocket of cameras.
struct CameraRoutes: WebFeature {
    let service: CameraService
    let connections: ConnectionTable

    var routes: [Route] {
        [
            .page("/camera", "camera.html", "The page *Cameras*."),
            .socket(
                "/camera/peers", .view, "[Cameras](camera-stream.md) between browsers.", longestMessage: RelayFrame.largest,
                refusal: { _ in service.refusal },
                client: { exchange in
                    CameraClient(
                        service, number: connections.nextId(), pairedClient: exchange.visitor?.pairedClient,
                        mayControl: exchange.mayControl, wake: exchange.wake)
                }),
        ]
    }
}
