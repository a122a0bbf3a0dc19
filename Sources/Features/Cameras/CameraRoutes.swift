internal import Streaming
package import Web

/// The page and the WebSocket of cameras.
package struct CameraRoutes: WebFeature {
    private let service: CameraService
    private let connections: ConnectionTable

    package init(service: CameraService, connections: ConnectionTable) { (self.service, self.connections) = (service, connections) }

    package var routes: [Route] {
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

    package func addMetrics(_ text: inout MetricsText) {
        let figures = service.figures
        text.family(
            "vestibule_camera_links", "Links between cameras and receivers, by state.", "gauge", label: "state",
            [("open", Double(figures.open)), ("asking", Double(figures.asking))])
        text.counter("vestibule_camera_frames_total", "Frames relayed, once for each receiver.", Double(figures.frames))
        text.counter("vestibule_camera_bytes_total", "Bytes relayed, once for each receiver.", Double(figures.bytes))
        text.counter("vestibule_camera_left_out_frames_total", "Frames skipped because a receiver was slow.", Double(figures.skipped))
        text.family(
            "vestibule_camera_refused_total", "Messages and frames refused, by reason.", "counter", label: "reason",
            RelayRefusal.Kind.allCases.map { ($0.rawValue, Double(figures.refusals[$0] ?? 0)) })
        let sound = figures.sound
        text.family(
            "vestibule_camera_sound_packets_total", "Packets of browser microphones used by objects, by result.", "counter",
            label: "result",
            [
                ("heard", Double(sound.heard)), ("late", Double(sound.late)), ("left_out", Double(sound.leftOut)),
                ("refused", Double(sound.refused)),
            ])
    }
}
