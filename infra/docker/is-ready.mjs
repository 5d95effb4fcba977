/** The health check of a container: an image without curl has Node. */
const { PORT } = process.env;
const response = await fetch(`http://127.0.0.1:${PORT}/readyz`, { signal: AbortSignal.timeout(4_000) });
if (!response.ok) throw new Error(`not ready: ${response.status} ${await response.text()}`);
