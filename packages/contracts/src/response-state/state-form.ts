import type { Endpoint } from '../api/endpoints.js';
import type { InteractionCreation } from '../api/interactions.js';
import type { ResponsesRequest } from '../api/responses-request.js';
import type { ErrorRecord, GatewayError } from '../errors/gateway-error.js';
import { interactionIdOf, type RequestId, type ResponseId, responseIdOf } from '../ids/ids.js';
import {
  type Continuation,
  noPreviousResponse,
  noResponse,
  previousResponseRuns,
  readContinuation,
} from './continuation.js';
import {
  isInteractionId,
  noInteraction,
  noPreviousInteraction,
  previousInteractionRuns,
  readPreviousInteraction,
  stepsOfInput,
} from './interaction-state.js';
import { renderFailedInteraction, renderQueuedInteraction } from './pending-interaction.js';
import {
  type QueuedRequest,
  renderFailedResponse,
  renderQueuedResponse,
  renderRunningResponse,
} from './pending-response.js';
import { itemsOfInput } from './response-elements.js';
import { type IdentifiedItem, inputItems, outputItems } from './response-items.js';
import { INTERACTION_EVENTS, RESPONSE_EVENTS, type StreamedObject } from './streamed-response-reader.js';

type Fields = Readonly<Record<string, unknown>>;

/** A format whose answers the gateway stores, so that later requests continue them. */
export interface StateForm {
  /** Creates its answers. A key that may use it may read them. */
  readonly endpoint: Endpoint;
  /** The member of a request that names the earlier answer. */
  readonly previousMember: string;
  /** The member of an answer that the next request gets as history. */
  readonly outputMember: string;
  /** Requests may name earlier items by their ids, or ask for a shorter history. */
  readonly hasItems: boolean;
  /** Its answers say that they run in the background: no other one can be cancelled. */
  readonly saysBackground: boolean;
  /** The events of its streams that have the whole answer. */
  readonly events: StreamedObject;
  idOf(requestId: RequestId): ResponseId;
  /** False: the id is one of another format, or none. */
  owns(id: string): boolean;
  /** What a request continues. Throws a 400 for a wrong member. */
  continuation(previous: unknown, conversation: unknown): Continuation;
  /** It cannot be read. */
  notFound(id: string): GatewayError;
  /** It cannot be continued. */
  noPrevious(id: string): GatewayError;
  previousRuns(id: string): GatewayError;
  /** The elements of a request's input, without their brackets. */
  inputElements(input: Buffer): Buffer;
  /** Items that conversations and references know by their ids. */
  inputItems(inputJson: string, id: string): readonly IdentifiedItem[];
  outputItems(answer: Fields): readonly IdentifiedItem[];
  renderQueued(request: QueuedRequest, members: Fields): string;
  renderRunning(queuedJson: string): string;
  renderFailed(queuedJson: string, error: ErrorRecord): string;
}

const RESPONSES: StateForm = {
  endpoint: 'responses',
  previousMember: 'previous_response_id',
  outputMember: 'output',
  hasItems: true,
  saysBackground: true,
  events: RESPONSE_EVENTS,
  idOf: responseIdOf,
  owns: (id) => !id.startsWith('int_'),
  continuation: readContinuation,
  notFound: noResponse,
  noPrevious: noPreviousResponse,
  previousRuns: previousResponseRuns,
  inputElements: itemsOfInput,
  inputItems,
  outputItems,
  renderQueued: (request, members) => renderQueuedResponse(request, members as Partial<ResponsesRequest>),
  renderRunning: renderRunningResponse,
  renderFailed: renderFailedResponse,
};

const INTERACTIONS: StateForm = {
  endpoint: 'interactions',
  previousMember: 'previous_interaction_id',
  outputMember: 'steps',
  hasItems: false,
  saysBackground: false,
  events: INTERACTION_EVENTS,
  idOf: interactionIdOf,
  owns: isInteractionId,
  continuation: (previous) => ({ previousId: readPreviousInteraction(previous), conversationId: undefined }),
  notFound: noInteraction,
  noPrevious: noPreviousInteraction,
  previousRuns: previousInteractionRuns,
  inputElements: stepsOfInput,
  inputItems: () => [],
  outputItems: () => [],
  renderQueued: (request, members) => renderQueuedInteraction(request, members as Partial<InteractionCreation>),
  renderRunning: (queuedJson) => queuedJson,
  renderFailed: renderFailedInteraction,
};

/** By the endpoint that creates its answers. */
export const STATE_FORMS = { responses: RESPONSES, interactions: INTERACTIONS } as const;

/** Undefined: the answers of the endpoint are not stored. */
export const stateFormOf = (endpoint: Endpoint): StateForm | undefined =>
  Object.hasOwn(STATE_FORMS, endpoint) ? STATE_FORMS[endpoint as keyof typeof STATE_FORMS] : undefined;
