import { UnexpectedStatus } from '@gateway/testing';

/** The kinds of failures during a rollout, each a column of the table. */
export const FAULTS = ['cut', '5xx', '4xx', 'connection', 'wrong'];

const MAX_FAULTS = 20;

/** A failure that the benchmark detects itself. `fault` is its column. */
export class Fault extends Error {
  constructor(fault, message, requestId) {
    super(message);
    this.fault = fault;
    this.requestId = requestId;
  }
}

const statusFault = (status) => (status >= 500 ? '5xx' : '4xx');

/** Returns the column of a failure. A failure without a response counts as `connection`. */
function faultOf(error) {
  if (error instanceof Fault) return error.fault;
  if (error instanceof UnexpectedStatus || typeof error.status === 'number') return statusFault(error.status);
  return 'connection';
}

const requestIdOf = ({ requestId, requestID, headers }) => requestId ?? requestID ?? headers?.get?.('x-request-id');

const reasonOf = ({ message, cause }) => (cause === undefined ? message : `${message} (${reasonOf(cause)})`);

/** Counts the outcome of every request of the load. */
export class Tally {
  /** By kind: requests sent and answered, and one count for each fault. */
  kinds = new Map();
  /** Texts of the first failures, with the process that was being replaced. */
  faults = [];
  /** By id: its kind, and whether its client received a response. Every charged request must be here. */
  requests = new Map();
  /** Failures by replaced process and fault. */
  failedAt = new Map();
  /** Failed requests whose clients never received an id. */
  unnamedCount = 0;
  /** The process that is being replaced now. */
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
    if (this.faults.length < MAX_FAULTS) this.faults.push(`${this.moment}: ${kind}, ${fault}: ${reasonOf(error)}`);
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
    const counts = { sent: 0, answered: 0, ...Object.fromEntries(FAULTS.map((name) => [name, 0])) };
    this.kinds.set(kind, counts);
    return counts;
  }
}
