import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_AGAIN_MS = 100;

/** The customer's server, which must receive the end of every task at least once. */
export class WebhookReceiver {
  #expected = new Set();
  #received = new Set();
  #server = createServer((request, response) => void this.#take(request, response));

  static async listen(port) {
    const receiver = new WebhookReceiver();
    receiver.url = `http://127.0.0.1:${port}/hook`;
    receiver.#server.listen(port, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  expect(taskId) {
    this.#expected.add(taskId);
  }

  get missing() {
    return [...this.#expected.difference(this.#received)];
  }

  get receivedCount() {
    return this.#expected.size - this.missing.length;
  }

  async untilAllReceived(withinMs) {
    const untilMs = Date.now() + withinMs;
    while (this.missing.length > 0 && Date.now() < untilMs) await sleep(LOOK_AGAIN_MS);
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request, response) {
    const chunks = await request.toArray();
    const { data } = JSON.parse(Buffer.concat(chunks));
    this.#received.add(data.id);
    response.end();
  }
}
