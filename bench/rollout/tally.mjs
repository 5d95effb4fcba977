import { UnexpectedStatus } from '@gateway/testing';

/** The kinds of failures during a rollout, each a column of the table. */
export const FAULTS = ['cut', '5xx', '4xx', 'connection', 'wrong'];

const REMEMBERED = 20;

/** A failure without a class in the client libraries: `fault` is its column. */
export class Fault extends Error {
  constructor(fault, message, requestId) {
    super(message);
    this.fault = fault;
    this.requestId = requestId;
  }
}

const statusFault = (status) => (status >= 500 ? '5xx' : '4xx');

/** The column of a failure: a missing response counts as a connection failure. */
function faultOf(error) {
  if (error instanceof Fault) return error.fault;
  if (error instanceof UnexpectedStatus || typeof error.status === 'number') return statusFault(error.status);
  return 'connection';
}

const requestIdOf = ({ requestId, requestID, headers }) => requestId ?? requestID ?? headers?.get?.('x-request-id');

const reasonOf = ({ message, cause }) => (cause === undefined ? message : `${message} (${reasonOf(cause)})`);

/** The results of all requests of the load. */
export class Tally {
  /** By kind: requests sent, responses, and a count for each fault. */
  kinds = new Map();
  /** The messages of the first failures, with the service that was being replaced. */
  faults = [];
  /** By id: its kind, and whether the client got a response. Holds every request that costs money. */
  requests = new Map();
  /** Failures by the service that was being replaced. */
  failedAt = new Map();
  /** Failed requests whose clients never received an id. */
  unnamedCount = 0;
  /** The service that is being replaced. */
  moment = 'before';

  sent(kind) {
    this.#of(kind).sent += 1;
  }

  responded(kind, requestId) {
    this.#of(kind).responded += 1;
    if (requestId !== undefined) this.requests.set(requestId, { kind, hasResponse: true });
  }

  failed(kind, error) {
    const fault = faultOf(error);
    this.#of(kind)[fault] += 1;
    const requestId = requestIdOf(error);
    if (requestId) this.requests.set(requestId, { kind, hasResponse: false });
    else this.unnamedCount += 1;
    const where = `${this.moment}: ${fault}`;
    this.failedAt.set(where, (this.failedAt.get(where) ?? 0) + 1);
    if (this.faults.length < REMEMBERED) this.faults.push(`${this.moment}: ${kind}, ${fault}: ${reasonOf(error)}`);
  }

  get faultCount() {
    return [...this.kinds.values()].reduce(
      (sum, counts) => sum + FAULTS.reduce((all, name) => all + counts[name], 0),
      0,
    );
  }

  #of(kind) {
    const known = this.kinds.get(kind);
    if (known !== undefined) return known;
    const counts = { sent: 0, responded: 0, ...Object.fromEntries(FAULTS.map((name) => [name, 0])) };
    this.kinds.set(kind, counts);
    return counts;
  }
}
