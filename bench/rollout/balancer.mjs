import { once } from 'node:events';
import { get } from 'node:http';
import { connect, createServer } from 'node:net';

const PROBE_EVERY_MS = 250;
/** Same as the readiness probe of `infra/k8s/components/harden`. */
const PROBE_TIMEOUT_MS = 3_000;
const FAILURES_UNTIL_NOT_READY = 2;

const isReady = (url) =>
  new Promise((resolve) => {
    const probe = get(`${url}/readyz`, { agent: false, timeout: PROBE_TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    probe.once('timeout', () => probe.destroy());
    probe.once('error', () => resolve(false));
    probe.once('close', () => resolve(false));
  });

/**
 * Balances connections like a Kubernetes Service: each new connection goes to the next ready copy and stays with it. It
 * does not parse requests, so it repeats none. A copy whose stop was announced gets no new connections.
 */
export class Balancer {
  /** Connections for which no copy was ready, or whose copy refused them. */
  refused = 0;
  #copies = [];
  #turn = 0;
  #server = createServer({ noDelay: true }, (socket) => this.#forward(socket));
  #probes;
  #sockets = new Set();

  static async listen(port) {
    const balancer = new Balancer();
    balancer.url = `http://127.0.0.1:${port}`;
    balancer.#server.listen(port, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  /** Adds a copy. It gets connections while it is ready. */
  async add({ name, url, ports }) {
    this.#copies.push({
      name,
      url,
      port: ports.PORT,
      isAnnounced: false,
      isProbed: false,
      failures: 0,
      isReady: await isReady(url),
    });
    this.#probes ??= setInterval(() => this.#probeAll(), PROBE_EVERY_MS);
  }

  /** Like the API server when a pod is deleted: the balancer knows before the pod does. */
  announceStop(name) {
    Object.assign(this.#copyOf(name), { isAnnounced: true, isReady: false });
  }

  async announceStart(name) {
    const copy = this.#copyOf(name);
    copy.isAnnounced = false;
    copy.isReady = await isReady(copy.url);
  }

  close() {
    clearInterval(this.#probes);
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #copyOf(name) {
    return this.#copies.find((copy) => copy.name === name);
  }

  #probeAll() {
    for (const copy of this.#copies) void this.#probe(copy);
  }

  async #probe(copy) {
    if (copy.isProbed) return;
    copy.isProbed = true;
    const response = await isReady(copy.url);
    copy.isProbed = false;
    copy.failures = response ? 0 : copy.failures + 1;
    if (!copy.isAnnounced) copy.isReady = response || (copy.isReady && copy.failures < FAILURES_UNTIL_NOT_READY);
  }

  #track(socket) {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  #forward(client) {
    this.#track(client);
    const ready = this.#copies.filter((copy) => copy.isReady);
    this.#turn += 1;
    const copy = ready[this.#turn % ready.length];
    if (copy === undefined) {
      this.refused += 1;
      client.resetAndDestroy();
      return;
    }
    const server = connect({ port: copy.port, host: '127.0.0.1', noDelay: true });
    server.once('connect', () => join(client, server));
    this.#track(server);
    const onRefused = () => {
      this.refused += 1;
      client.resetAndDestroy();
    };
    server.once('error', onRefused);
    server.once('connect', () => server.off('error', onRefused));
  }
}

/** Forwards bytes, ends and resets in both directions. */
function join(client, server) {
  for (const [from, to] of [
    [client, server],
    [server, client],
  ]) {
    from.pipe(to);
    from.on('error', () => to.resetAndDestroy());
    from.once('close', () => to.destroySoon());
  }
}
