import { once } from 'node:events';
import { get } from 'node:http';
import { connect, createServer } from 'node:net';

const PROBE_EVERY_MS = 250;
/** The interval of the readiness probe in `infra/k8s/components/harden`. */
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
 * Behaves like a Kubernetes Service: each new connection goes to the next ready instance. It retries nothing, since it
 * knows connections and no requests. An open connection stays with its instance until either side closes it. An
 * instance that is about to stop gets no new ones.
 */
export class Balancer {
  /** Connections without a ready instance, or that their instance did not accept. */
  refused = 0;
  #copies = [];
  #turn = 0;
  #server = createServer({ noDelay: true }, (socket) => this.#handOn(socket));
  #probes;
  #sockets = new Set();

  static async listen(port) {
    const balancer = new Balancer();
    balancer.url = `http://127.0.0.1:${port}`;
    balancer.#server.listen(port, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  /** Adds an instance, which gets connections whenever it is ready. */
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

  /** Like the API server at a deletion: the balancer stops routing before the pod gets its signal. */
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
    const isHealthy = await isReady(copy.url);
    copy.isProbed = false;
    copy.failures = isHealthy ? 0 : copy.failures + 1;
    if (!copy.isAnnounced) copy.isReady = isHealthy || (copy.isReady && copy.failures < FAILURES_UNTIL_NOT_READY);
  }

  #keep(socket) {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  #handOn(client) {
    this.#keep(client);
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
    this.#keep(server);
    const notTaken = () => {
      this.refused += 1;
      client.resetAndDestroy();
    };
    server.once('error', notTaken);
    server.once('connect', () => server.off('error', notTaken));
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
