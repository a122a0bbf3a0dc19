"""A camera whose picture is the time, and its reader at the receiver."""

# A camera whose picture is the time: 24 fields, white for 1, of the milliseconds since 1970, the lowest bit at the left.
TIME_CODE = """
    navigator.mediaDevices.getUserMedia = async () => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 });
        const context = canvas.getContext('2d', { alpha: false });
        const draw = () => {
            const code = Date.now();
            for (let bit = 0; bit < 24; bit += 1) {
                context.fillStyle = Math.floor(code / 2 ** bit) % 2 ? 'white' : 'black';
                context.fillRect(26 * bit, 0, 26, 360);
            }
        };
        draw();
        setInterval(draw, 40);
        return canvas.captureStream(25);
    };
"""
# The same above noise, for which an encoder uses all bits that it may.
NOISY_TIME_CODE = TIME_CODE.replace("        draw();", """
        const noise = Object.assign(document.createElement('canvas'), { width: 160, height: 30 });
        const grains = noise.getContext('2d').createImageData(160, 30);
        let state = 1;
        const drawCode = draw;
        const drawAll = () => {
            drawCode();
            for (let place = 0; place < grains.data.length; place += 4) {
                state = (1664525 * state + 1013904223) >>> 0;
                // Little contrast: an encoder with few bits leaves it out, as with the noise of a camera.
                grains.data.fill(112 + (state >>> 27), place, place + 3);
                grains.data[place + 3] = 255;
            }
            noise.getContext('2d').putImageData(grains, 0, 0);
            context.imageSmoothingEnabled = false;
            context.drawImage(noise, 0, 240, 640, 120);
        };
        drawAll();""").replace("setInterval(draw, 40)", "setInterval(drawAll, 40)")
# Reads the time from the picture at every display frame that shows another one, until there are so many.
READ_TIMES = """(count) => new Promise((done) => {
    const [tile] = vestibule.tiles.values();
    const delays = [];
    let last = -1;
    const look = () => {
        const { data } = tile.context.getImageData(0, Math.round(tile.canvas.height / 2), tile.canvas.width, 1);
        let code = 0;
        for (let bit = 23; bit >= 0; bit -= 1) {
            code = 2 * code + (data[4 * Math.round(tile.canvas.width * (26 * bit + 13) / 640)] > 127 ? 1 : 0);
        }
        if (code !== last) delays.push((Date.now() - code) % 2 ** 24);
        last = code;
        if (delays.length >= count) done(delays); else requestAnimationFrame(look);
    };
    look();
})"""
# Notes [now, age of the shown picture, its width, its height] at every display frame, until `codes.stop()`.
WATCH_TIMES = """() => {
    window.codes = { seen: [] };
    const look = () => {
        codes.next = requestAnimationFrame(look);
        const tile = [...vestibule.tiles.values()].find((each) => each.incoming?.firstShown);
        if (!tile?.context) return;
        const { width, height } = tile.canvas;
        const { data } = tile.context.getImageData(0, Math.round(height / 3), width, 1);
        let code = 0;
        for (let bit = 23; bit >= 0; bit -= 1) code = 2 * code + (data[4 * Math.round(width * (26 * bit + 13) / 640)] > 127 ? 1 : 0);
        const now = Date.now();
        codes.seen.push([now, (now - code + 2 ** 24) % 2 ** 24, width, height]);
    };
    codes.stop = () => cancelAnimationFrame(codes.next);
    look();
}"""
