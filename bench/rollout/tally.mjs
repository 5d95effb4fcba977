import { UnexpectedStatus } from '@gateway/testing';

/** The ways in which a request may fail while something is rolled out; each is a column of the table. */
export const FAULTS = ['cut', '5xx', '4xx', 'connection', 'wrong'];

const REMEMBERED = 20;

/** A failure that no client library has a name for: `fault` is its column. */
export class Fault extends Error {
  constructor(fault, message, requestId) {
    super(message);
    this.fault = fault;
    this.requestId = requestId;
  }
}

const statusFault = (status) => (status >= 500 ? '5xx' : '4xx');

/** Which column a failure belongs to: no answer at all is the connection's. */
function faultOf(error) {
  if (error instanceof Fault) return error.fault;
  if (error instanceof UnexpectedStatus || typeof error.status === 'number') return statusFault(error.status);
  return 'connection';
}

const requestIdOf = ({ requestId, requestID, headers }) => requestId ?? requestID ?? headers?.get?.('x-request-id');

const reasonOf = ({ message, cause }) => (cause === undefined ? message : `${message} (${reasonOf(cause)})`);

/** What became of every request of the load. */
export class Tally {
  /** By kind: asked, answered, and one count for each fault. */
  kinds = new Map();
  /** The first failures in words, with what was being rolled out. */
  faults = [];
  /** By id: its kind, and whether its client got an answer. What costs money must be in here. */
  requests = new Map();
  /** How many failed with each word for what was being rolled out. */
  failedAt = new Map();
  /** Requests that failed before their clients got an id. */
  unnamedCount = 0;
  /** What is being rolled out now. */
  moment = 'before';

  asked(kind) {
    this.#of(kind).asked += 1;
  }

  answered(kind, requestId) {
    this.#of(kind).answered += 1;
    if (requestId !== undefined) this.requests.set(requestId, { kind, isAnswered: true });
  }

  failed(kind, error) {
    const fault = faultOf(error);
    this.#of(kind)[fault] += 1;
    const requestId = requestIdOf(error);
    if (requestId) this.requests.set(requestId, { kind, isAnswered: false });
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
    const counts = { asked: 0, answered: 0, ...Object.fromEntries(FAULTS.map((name) => [name, 0])) };
    this.kinds.set(kind, counts);
    return counts;
  }
}
