/*
 * Loaded before a service, which is process 1 of its container. The kernel drops signals for process 1 that have no
 * listener, so a starting service would ignore SIGTERM. These listeners end it until it has listeners of its own.
 */
const EXIT_CODES = { SIGTERM: 143, SIGINT: 130 };

for (const [signal, code] of Object.entries(EXIT_CODES)) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(code);
  });
}
