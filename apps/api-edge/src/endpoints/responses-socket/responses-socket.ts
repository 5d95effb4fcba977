import type { ClientRequest, IncomingMessage } from 'node:http';
import {
  ERRORS,
  GatewayError,
  isGatewayError,
  isJsonObject,
  type JsonObject,
  newRequestId,
  renderError,
  responseIdOf,
} from '@gateway/contracts';
import type { ClientSocket, ClientSocketHandlers } from '@gateway/relay';
import { createParser } from 'eventsource-parser';
import { readFrame, type SocketFrame } from './socket-frame.js';
import { type ContinuedFrame, SocketHistory } from './socket-history.js';
import { turnHeaders } from './turn-headers.js';

const OK = 200;
const GOING_AWAY = 1001;
const TRY_AGAIN_LATER = 1013;
/** Vendors order the members of an event as they like. */
const FINAL = /"type": ?"response\.(?:completed|incomplete)"/;
const LAST = /"type": ?"(?:response\.(?:completed|incomplete|failed)|error)"/;
const HEAD_CHARACTERS = 200;

/** Sends the body of a request to `POST /v1/responses` with the key of the socket. */
export type SendTurn = (body: Buffer) => ClientRequest;

/** How often a client may send what costs it nothing: messages that are refused unsent, and turns that it prepares. */
export interface FreeMessages {
  /** Throws 429 for one who has sent too many. */
  check(): void;
  count(bytes: number): void;
}

/** What a socket needs of its process. */
export interface SocketPorts {
  readonly sendTurn: SendTurn;
  readonly onClosed: () => void;
  /** Replaces the bytes that the history takes. False: there is no memory for them. */
  readonly takeMemory: (has: number, wants: number) => boolean;
  readonly free: FreeMessages;
}

/** One WebSocket on which a client creates responses, one after the other. */
export class ResponsesSocket implements ClientSocketHandlers {
  readonly #history: SocketHistory;
  #running: ClientRequest | undefined;
  /** The client has the last event of the running response. */
  #hasLastEvent = false;
  /** The turn that the client sent between the last event and the end of the response. */
  #next: SocketFrame | undefined;
  #isEnding = false;
  /** Responses that the client has not confirmed yet. */
  #unconfirmed = 0;

  constructor(
    private readonly socket: ClientSocket,
    private readonly ports: SocketPorts,
  ) {
    this.#history = new SocketHistory(ports.takeMemory);
  }

  onMessage(message: Buffer): void {
    try {
      this.ports.free.check();
    } catch (error) {
      this.refuse(error as GatewayError);
      return;
    }
    this.#attempt(message.length, () => this.#handle(readFrame(message), message.length));
  }

  /** The client has left: its running response has the contract of every other one. */
  onClose(): void {
    this.#running?.destroy();
    this.#history.forget();
    this.ports.onClosed();
  }

  /** Closes the socket once its response has ended. */
  end(): void {
    this.#isEnding = true;
    if (this.#running === undefined) this.socket.close(GOING_AWAY, 'The server restarts.');
  }

  /** The client sends a message that the process cannot take. */
  refuse(error: GatewayError): void {
    this.#fail(error);
    this.socket.refuse(TRY_AGAIN_LATER, 'The message was refused.');
  }

  /** The socket has reached its age. Clients open another one. */
  expire(): void {
    const error = {
      type: 'invalid_request_error',
      code: 'websocket_connection_limit_reached',
      message:
        'Responses websocket connection limit reached (60 minutes). Create a new websocket connection to continue.',
    };
    this.socket.send(JSON.stringify({ type: 'error', status: 400, error }));
    this.end();
  }

  /** `bytes`: of the message. */
  #attempt(bytes: number, run: () => void): void {
    try {
      run();
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      this.ports.free.count(bytes);
      this.#fail(error);
    }
  }

  #handle(frame: SocketFrame, bytes: number): void {
    if (frame.type === 'response.processed') {
      this.#confirm(bytes);
      return;
    }
    if (frame.type !== 'response.create') {
      throw new GatewayError('invalid_request', "'type': expected 'response.create'.", { param: 'type' });
    }
    if (this.#running === undefined) this.#start(frame);
    else if (this.#hasLastEvent && this.#next === undefined) this.#next = frame;
    else throw new GatewayError('request_in_progress', 'A socket runs one response at a time. Wait for its end.');
  }

  /** The official coding assistant confirms each response that it has processed. A flood of confirmations is not free. */
  #confirm(bytes: number): void {
    if (this.#unconfirmed > 0) this.#unconfirmed -= 1;
    else this.ports.free.count(bytes);
  }

  #start(frame: SocketFrame): void {
    this.#unconfirmed += 1;
    const continued = this.#history.continue(frame);
    if (frame.generates) this.#run(frame, continued);
    else this.#prepare(frame, continued);
  }

  /** A turn without output costs nothing. Its items are part of the next one. */
  #prepare({ body }: SocketFrame, { prompt }: ContinuedFrame): void {
    if (prompt === undefined) throw conversationPrepared();
    this.ports.free.count(body.length);
    const id = responseIdOf(newRequestId());
    this.#history.remember(id, prompt, undefined);
    const response = { id, object: 'response', created_at: Math.floor(Date.now() / 1_000), output: [] };
    const usage = {
      ...{ input_tokens: 0, output_tokens: 0, total_tokens: 0 },
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    };
    for (const [number, status] of (['in_progress', 'completed'] as const).entries()) {
      const type = status === 'completed' ? 'response.completed' : 'response.created';
      const shown = { ...response, status, usage: status === 'completed' ? usage : null };
      this.socket.send(JSON.stringify({ type, sequence_number: number, response: shown }));
    }
  }

  #run(frame: SocketFrame, continued: ContinuedFrame): void {
    const sent = this.ports.sendTurn(continued.body);
    this.#running = sent;
    sent.once('error', () => this.#finish(sent, new GatewayError('internal_error', 'The response broke off.')));
    sent.once('response', (response) => {
      response.setEncoding('utf8');
      response.once('error', () => this.#finish(sent, new GatewayError('internal_error', 'The response broke off.')));
      if (response.statusCode === OK) this.#relay(sent, response, frame, continued);
      else void this.#refuse(sent, response);
    });
  }

  /** The first event carries the headers: the protocol has no event for them. */
  #relay(sent: ClientRequest, response: IncomingMessage, { members }: SocketFrame, { prompt }: ContinuedFrame): void {
    let headers = turnHeaders(response.headers);
    const parser = createParser({
      onEvent: ({ data }) => {
        const head = data.slice(0, HEAD_CHARACTERS);
        if (LAST.test(head)) this.#hasLastEvent = true;
        if (!members.isStored && FINAL.test(head)) this.#remember(data, prompt);
        const isTaken = this.socket.send(headers === undefined ? data : withHeaders(data, headers));
        headers = undefined;
        if (isTaken || response.isPaused()) return;
        response.pause();
        this.socket.onDrain(() => response.resume());
      },
    });
    response.on('data', (text: string) => parser.feed(text));
    response.once('end', () => this.#finish(sent));
  }

  #remember(data: string, prompt: ContinuedFrame['prompt']): void {
    const response = finalResponse(data);
    if (typeof response?.id === 'string') this.#history.remember(response.id, prompt, JSON.stringify(response));
    else this.#history.forget();
  }

  /** An error before the response has begun. */
  async #refuse(sent: ClientRequest, response: IncomingMessage): Promise<void> {
    const text = (await response.toArray().catch(() => [])).join('');
    this.#history.forget();
    const error = {
      type: 'error',
      status: response.statusCode,
      ...errorIn(text),
      headers: turnHeaders(response.headers),
    };
    this.socket.send(JSON.stringify(error));
    this.#finish(sent);
  }

  #fail(error: GatewayError): void {
    const body = renderError('responses', error.toRecord(), newRequestId());
    this.socket.send(JSON.stringify({ type: 'error', status: ERRORS[error.code].status, ...body }));
  }

  #finish(sent: ClientRequest, error?: GatewayError): void {
    if (this.#running !== sent) return;
    const next = this.#next;
    this.#running = undefined;
    this.#hasLastEvent = false;
    this.#next = undefined;
    if (error !== undefined) this.#fail(error);
    if (this.#isEnding) this.end();
    else if (next !== undefined) this.#attempt(next.body.length, () => this.#start(next));
  }
}

const conversationPrepared = (): GatewayError =>
  new GatewayError('unsupported_parameter', "'conversation': expected none beside 'generate': false.", {
    param: 'conversation',
  });

/** Undefined for an event that is not what it seems: it is the vendor's, and an error here would end the process. */
function finalResponse(data: string): JsonObject | undefined {
  try {
    const { response } = JSON.parse(data) as { response?: unknown };
    return isJsonObject(response) ? response : undefined;
  } catch {
    return undefined;
  }
}

/** An event with one more member. Its own bytes stay as they are. */
function withHeaders(event: string, headers: object): string {
  return `${event.slice(0, event.lastIndexOf('}'))},"headers":${JSON.stringify(headers)}}`;
}

/** The body of an error response. A response that broke off has none. */
function errorIn(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    const error = new GatewayError('internal_error', 'The response broke off.');
    return renderError('responses', error.toRecord(), newRequestId());
  }
}
