import Foundation
import Hub
import Parameters
import Query
import RenderInterface
import Testing

@Suite struct MetricsTests {
    @Test func histogramsAreCumulative() throws {
        let server = try TestServer { hub, server in
            hub.publish(hub.tree.index(EngineParameter.rate), .number(48_000))
            hub.publish(hub.tree.index(EngineParameter.period), .number(48))
            hub.publish(hub.tree.index(EngineParameter.controlWorst), .number(1.5))
            var frame = EngineFrame()
            (frame.blocks, frame.xruns, frame.samples, frame.busy) = (4, 1, 96_000, 1_500_000)
            for nanoseconds: Int64 in [-5, 16_383, 16_384, 99_000_000] { frame.durations.note(nanoseconds) }
            let engine = frame
            server.telemetry.sources.engine = { engine }
            var histogram = DurationHistogram(bounds: [0.01, 0.02])
            for seconds in [0.005, 0.01, 0.015, 7] { histogram.add(seconds) }
            server.metrics.lostDeviceFrames = { 20_000_001 }
            hub.publish(hub.tree.index(DeviceParameter.state), .number(DeviceParameter.State.lost.number))
            hub.publish(hub.tree.index(DeviceParameter.losses), .number(2))
            hub.publish(hub.tree.index(TakeParameter.recording), .number(1))
            hub.publish(hub.tree.index(TakeParameter.lost), .number(0.25))
            hub.publish(hub.tree.index(TakeParameter.remaining), .number(3600))
            let latency = histogram
            server.telemetry.sources.histogram = { latency }
        }
        let answer = try #require(Answer.get(server.port, "/metrics"))
        #expect(answer.status == 200 && answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        let lines = Set(answer.text.split(separator: "\n").map(String.init))
        #expect(!answer.text.contains("vestibule_network_"), "there are no listeners on the network")
        for line in [
            "vestibule_blocks_total 4", "vestibule_xruns_total 1", "vestibule_rendered_seconds_total 2",
            "vestibule_control_worst_seconds 0.0015", "vestibule_control_worst_ever_seconds 0",
            "vestibule_device_lost 1", "vestibule_device_losses_total 2", "vestibule_device_lost_frames_total 20000001",
            "vestibule_take_recording 1", "vestibule_take_lost_seconds 0.25", "vestibule_take_remaining_seconds 3600",
            "vestibule_period_seconds 0.001", "# TYPE vestibule_xruns_total counter",
            "vestibule_callback_duration_seconds_bucket{le=\"1.6384e-05\"} 2",
            "vestibule_callback_duration_seconds_bucket{le=\"3.2768e-05\"} 3",
            "vestibule_callback_duration_seconds_bucket{le=\"0.033554432\"} 3",
            "vestibule_callback_duration_seconds_bucket{le=\"+Inf\"} 4", "vestibule_callback_duration_seconds_count 4",
            "vestibule_callback_duration_seconds_sum 0.0015", "vestibule_motion_to_sound_seconds_bucket{le=\"0.01\"} 2",
            "vestibule_motion_to_sound_seconds_bucket{le=\"0.02\"} 3",
            "vestibule_motion_to_sound_seconds_bucket{le=\"+Inf\"} 4", "vestibule_ws_clients{kind=\"query\"} 0",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }
}
