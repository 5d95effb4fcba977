/*
 * Loaded before a service. It is process 1 of its container, and the kernel keeps from process 1 every signal that it has
 * no listener for: told to go while it starts, it would stay until it is killed. Until it listens itself, it ends as any
 * other process would; from then on nothing here has a say.
 */
const EXIT_CODES = { SIGTERM: 143, SIGINT: 130 };

for (const [signal, code] of Object.entries(EXIT_CODES)) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(code);
  });
}
