import {
  type Changes,
  GatewayError,
  type KeyRecord,
  mergeChanges,
  PENDING_STATUS,
  referencedItemId,
  type StateForm,
} from '@gateway/contracts';
import { rejectOversizedJson } from '@gateway/intake';
import type { FinishedResponse, StateItem } from '@gateway/postgres';
import { Injectable } from '@nestjs/common';
import type { AdmittedRequest, ResponseRecording, TakeRoom } from '../edge-request.js';
import { FullAccounts } from './full-accounts.service.js';
import { KeptResponse } from './kept-response.js';
import {
  joinElements,
  mayReferToItems,
  membersBesideInput,
  readStateMembers,
  type StateMembers,
  sinceCompaction,
  withMember,
  withoutRepeatedItems,
} from './request-members.js';
import { type History, ResponseHistory } from './response-history.service.js';
import { ResponseWriter } from './response-writer.service.js';

/** A request with a longer body is not stored. */
const MAX_STORED_REQUEST_BYTES = 16 * 1024 * 1024;
/** A shorter body cannot have too many names or values. */
const SCANNED_BYTES = 64 * 1024;
const FALSE = Buffer.from('false');
const NO_ITEMS = Buffer.from('[]');

/** What a request adds to the history. */
export interface NewTurn {
  /** The JSON of its own input. Item references are resolved. */
  readonly input: Buffer;
  readonly previousId: string | undefined;
  readonly conversation: History['conversation'];
  /** The format of the request and of what is stored. */
  readonly form: StateForm;
}

interface AttachedMembers extends StateMembers {
  readonly form: StateForm;
  readonly isAttached: boolean;
  /** The account keeps as much as it may. */
  readonly isFull: boolean;
}

/** Whether the response passes this edge. */
export type AttachmentCheck = (isStream: boolean) => boolean;

/** A body whose `input` has the whole history. */
export interface ExpandedBody {
  readonly body: Buffer;
  readonly changes?: Changes;
  /** Absent: nothing of the request is stored. */
  readonly turn?: NewTurn;
  /** The response runs in the background. */
  readonly isBackground?: true;
  /** The response does not pass this edge, so a worker stores it. */
  readonly isDetached?: true;
}

/** Gives a request the history that it continues, and stores its response for the next one. */
@Injectable()
export class StoredRequests {
  constructor(
    private readonly history: ResponseHistory,
    private readonly writer: ResponseWriter,
    private readonly fullAccounts: FullAccounts,
  ) {}

  /**
   * The members stay in the body, so that the response can repeat them. Costs one scan for a request that continues nothing.
   * Throws 400, 404 or 413 before anything is held.
   */
  expand(
    body: Buffer,
    key: KeyRecord,
    isAttached: AttachmentCheck,
    takeRoom: TakeRoom,
    form: StateForm,
  ): ExpandedBody | Promise<ExpandedBody> {
    // Its members are located and some of them parsed here, before the parser limits it.
    if (body.length > SCANNED_BYTES) rejectOversizedJson(body);
    const members = readStateMembers(body, form);
    const { previousId, conversationId, input, isStream, isBackground } = members;
    const refers = form.hasItems && mayReferToItems(input);
    const isAlone = previousId === undefined && conversationId === undefined && !refers;
    const isFull = members.isStored && this.fullAccounts.has(key.accountId);
    const continued = { ...members, form, isAttached: !isBackground && isAttached(isStream), isFull };
    return isAlone ? this.#keep(body, continued, input) : this.#expand(body, continued, key, takeRoom);
  }

  /** The recording of an admitted request whose response is stored. */
  recordingOf(request: AdmittedRequest, turn: NewTurn): ResponseRecording {
    return new KeptResponse(
      (response) => this.writer.write(finish(request, turn, response)),
      request.recording,
      turn.form.events,
    );
  }

  /** The row of an admitted request until a worker stores its response. */
  queued(request: AdmittedRequest, turn: NewTurn): FinishedResponse {
    const { requestId, model, admittedAtMs, body } = request;
    if (!Buffer.isBuffer(body)) throw new Error(`the body of ${requestId} is not in memory`);
    const queued = { requestId, model: model.id, createdAtMs: admittedAtMs };
    return {
      ...rowOf(request, turn),
      status: PENDING_STATUS,
      response: turn.form.renderQueued(queued, membersBesideInput(body)),
      outputItemIds: [],
      ...(turn.conversation !== undefined && { conversation: { ...turn.conversation, newItems: [] } }),
    };
  }

  async #expand(body: Buffer, members: AttachedMembers, key: KeyRecord, takeRoom: TakeRoom): Promise<ExpandedBody> {
    const history = await this.#historyOf(members, key, takeRoom);
    const { form } = members;
    const resolved = form.hasItems ? await this.#resolve(members.input, key, takeRoom) : members.input;
    const isAnswered = members.previousId !== undefined && resolved !== undefined;
    const { input, changes } = isAnswered ? withoutRepeatedItems(resolved, history.elements) : { input: resolved };
    const elements = form.hasItems ? sinceCompaction(history.elements) : history.elements;
    const isUnchanged = elements.length === 0 && input === members.input;
    const own = input === undefined ? [] : [form.inputElements(input)];
    const expanded = isUnchanged ? body : withMember(body, 'input', ...joinElements([...elements, ...own]));
    const kept = this.#keep(expanded, members, input ?? NO_ITEMS, history.conversation);
    return changes === undefined ? kept : { ...kept, changes: mergeChanges(changes, kept.changes) };
  }

  #historyOf(
    { previousId, conversationId, form }: AttachedMembers,
    key: KeyRecord,
    takeRoom: TakeRoom,
  ): Promise<History> {
    if (previousId !== undefined) return this.history.before(key, previousId, takeRoom, form);
    if (conversationId !== undefined) return this.history.of(key, conversationId, takeRoom);
    return Promise.resolve({ elements: [] });
  }

  #keep(
    body: Buffer,
    { previousId, isStored, isStoreAsked, isAttached, isBackground, isFull, form }: AttachedMembers,
    input: Buffer | undefined,
    conversation?: History['conversation'],
  ): ExpandedBody {
    if (!isStored || input === undefined) return { body };
    if (isFull && (isStoreAsked || isBackground || conversation !== undefined)) throw keepsAsMuchAsItMay();
    if (isBackground && input.length > MAX_STORED_REQUEST_BYTES) throw tooLongForBackground();
    if (isFull || input.length > MAX_STORED_REQUEST_BYTES) {
      return { body: withMember(body, 'store', FALSE), changes: { filled: { store: 'false' }, dropped: [] } };
    }
    // A copy: the body's memory may move to a thread.
    const turn = { input: Buffer.from(input), previousId, conversation, form };
    return { body, turn, ...(isBackground && { isBackground }), ...(!isAttached && { isDetached: true }) };
  }

  /** Replaces references to stored items by the items. The parser reports an input that is no JSON. */
  async #resolve(input: Buffer | undefined, key: KeyRecord, takeRoom: TakeRoom): Promise<Buffer | undefined> {
    const items = input !== undefined && mayReferToItems(input) ? parseList(input) : undefined;
    const ids = items?.flatMap((item) => referencedItemId(item) ?? []) ?? [];
    if (items === undefined || ids.length === 0) return input;
    const found = await this.history.referenced(key, [...new Set(ids)], takeRoom);
    return Buffer.from(JSON.stringify(items.map((item) => found.get(referencedItemId(item) ?? '') ?? item)));
  }
}

function parseList(input: Buffer): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(input.toString('utf8'));
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const tooLongForBackground = (): GatewayError =>
  new GatewayError('request_too_large', "'input': expected at most 16 MiB for a response in the background.", {
    param: 'input',
  });

const keepsAsMuchAsItMay = (): GatewayError =>
  new GatewayError(
    'storage_limit_exceeded',
    "'store': your account keeps as much as it may. Delete files, requests or stored responses, or send `false`. It cost nothing.",
    { param: 'store' },
  );

/** What the row of a response has from its request. */
function rowOf(request: AdmittedRequest, turn: NewTurn) {
  const { keyId, accountId, isTest } = request.caller.key;
  return {
    id: turn.form.idOf(request.requestId),
    ...{ accountId, keyId, isTest },
    model: request.model.id,
    previousId: turn.previousId ?? null,
    input: turn.input.toString('utf8'),
  };
}

/** The row of a finished response. */
function finish(request: AdmittedRequest, turn: NewTurn, bytes: Buffer): FinishedResponse {
  const row = rowOf(request, turn);
  const json = bytes.toString('utf8');
  const response = JSON.parse(json) as Record<string, unknown>;
  const output = turn.form.outputItems(response);
  return {
    ...row,
    status: String(response.status),
    response: json,
    outputItemIds: output.map((item) => item.id),
    ...(turn.conversation !== undefined && {
      conversation: {
        ...turn.conversation,
        newItems: [...turn.form.inputItems(row.input, row.id), ...output].map(asRow),
      },
    }),
  };
}

const asRow = ({ id, item }: { readonly id: string; readonly item: object }): StateItem => ({
  id,
  json: JSON.stringify(item),
});
