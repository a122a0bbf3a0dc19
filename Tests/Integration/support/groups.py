"""The group in which `make test` runs the tests of a file or folder; the longest matching entry applies.

Tests that measure no times, rates or devices run in three processes at once, whether they compute, such as pages in a browser, or mostly
wait for sound that plays in real time. All others run one after another.
"""

GROUPS = {
    "computing": (
        "broker/test_mqtt.py", "broker/test_mqtt_logins.py", "broker/test_mqtt_losses.py", "browser/test_compressed_package.py",
        "browser/test_library_page.py", "browser/test_renderer.py", "cameras/test_camera_messages.py", "cameras/test_camera_permission.py",
        "cameras/test_camera_protocol.py", "commands", "engine/sessions", "engine/test_client_files.py", "engine/test_full_folders.py",
        "engine/test_healing.py", "engine/test_hrtf.py", "engine/test_listening_loudness.py", "engine/test_live_room.py",
        "engine/test_motion.py", "engine/test_music.py", "engine/test_object_hrtf.py", "engine/test_objects.py", "engine/test_overview.py",
        "engine/test_takes.py",
        "network/library", "network/test_access.py", "network/test_announcement.py", "network/test_blind.py", "network/test_bluetooth.py",
        "network/test_deployment.py", "network/test_deployment_files.py", "network/test_http_strict.py", "network/test_metrics.py",
        "network/test_oscquery.py", "network/test_pairing.py", "network/test_phones.py", "network/test_tls.py", "network/test_trackers.py",
        "network/test_upload.py", "network/test_websocket.py", "panel", "places", "sources",
    ),
    "waiting": (
        "broker/test_followed_media.py", "browser/test_listen_downloads.py", "browser/test_listen_engine.py",
        "browser/test_listen_packages.py", "browser/test_listen_page.py", "browser/test_modes.py", "browser/test_view_controls.py",
        "browser/test_view_files.py", "browser/test_view_optics.py", "browser/test_worklet.py",
        "cameras/test_camera_damaged.py", "cameras/test_camera_page.py", "cameras/test_camera_saving.py", "cameras/test_camera_sources.py",
        "commands/test_measure.py", "commands/test_process.py", "engine", "network/listeners", "network/test_adm.py",
        "network/test_clients.py", "network/test_descriptors.py", "network/test_websocket_frames.py", "panel/test_device_panel.py",
        "panel/test_listeners_panel.py", "panel/test_phone.py", "panel/test_tracker_panel.py", "streams/test_hls.py",
        "streams/test_icecast.py", "streams/test_scene.py",
    ),
    "alone": ("engine/test_alsa.py", "engine/test_jack.py", "engine/test_threads.py"),
}

# Files that take longest, which start first: one that starts last would keep a single process busy at the end.
LONGEST = (
    "engine/test_listening_loudness.py", "panel/whole/test_small_screens.py", "panel/whole/test_panel_changes.py", "engine/test_music.py",
    "commands/test_room.py", "cameras/test_camera_messages.py", "network/test_deployment.py", "network/test_blind.py",
    "cameras/test_camera_protocol.py", "cameras/test_camera_permission.py", "panel/test_panel.py", "broker/test_mqtt.py",
    "broker/test_mqtt_losses.py", "browser/test_library_page.py", "panel/test_details.py", "network/test_http_strict.py",
    "engine/test_hrtf.py", "browser/test_listen_page.py", "browser/test_listen_downloads.py", "commands/test_measure.py",
    "engine/test_takes.py", "cameras/test_camera_page.py", "cameras/test_camera_sources.py", "engine/test_device_loss.py",
    "browser/test_modes.py", "browser/test_view_controls.py", "panel/test_listeners_panel.py", "engine/test_array.py",
)


def order(path):
    """Place of a file among those of its group."""
    return LONGEST.index(path) if path in LONGEST else len(LONGEST)


def group(path):
    """The group of a path below Tests/Integration."""
    matches = [(len(entry), name) for name, entries in GROUPS.items() for entry in entries if path == entry or path.startswith(f"{entry}/")]
    return max(matches, default=(0, "alone"))[1]
