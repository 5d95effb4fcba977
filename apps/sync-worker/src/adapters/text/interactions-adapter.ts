import { type CatalogueModel, hasNativeGenerate } from '@gateway/catalogue';
import {
  echoedInteractionFields,
  type InteractionCreation,
  interactionCreation,
  interactionIdOf,
  isGatewayError,
  parseExactJson,
  type RequestId,
  type SyncTicket,
} from '@gateway/contracts';
import {
  changesInNamesOfInteraction,
  type GenerateOfInteraction,
  generateOfInteraction,
  type InteractionFrame,
  InteractionStream,
  inNamesOfInteraction,
  interactionOfReply,
  ReaderOver,
  type StreamReader,
  streamOfInteraction,
} from '@gateway/upstreams';
import type { ModelAdapter } from '../../model-adapter.js';
import { callIdentity } from '../bind-protocol.js';
import type { ExecutionPlan, Planner } from '../execution-plan.js';
import { adaptImage } from '../images/image-adapter.js';
import { adaptGenerate } from './generate-adapter.js';
import { wholePlan } from './whole-plan.js';

const EVENTS = { headers: {}, query: '?alt=sse' } as const;

/** POST /v1beta/interactions: a chat model gets the call of `generateContent` that it becomes, an image model its own format. */
export const adaptInteraction: Planner = (ticket, model, body, ids) => {
  const fields = parseExactJson(body.toString('utf8')) as Readonly<Record<string, unknown>>;
  if (model.chat === undefined) {
    const { stream, ...request } = fields;
    const image = adaptImage(ticket, model, Buffer.from(JSON.stringify(request)), ids);
    return stream === true ? wholePlan(image, { toStream: streamOfInteraction }) : image;
  }
  const interaction = interactionCreation.parse(fields);
  const { request, places } = generateOfInteraction(interaction);
  const isStream = interaction.stream === true;
  const call = {
    ...ticket,
    endpoint: isStream ? 'models.stream_generate_content' : 'models.generate_content',
    ...(isStream && { forward: EVENTS }),
  };
  const plan = named(places, () => adaptGenerate(call, model, Buffer.from(JSON.stringify(request)), ids));
  return overGenerate(plan, frameOf(ticket, model, interaction), places);
};

const frameOf = (ticket: SyncTicket, model: CatalogueModel, interaction: InteractionCreation): InteractionFrame => ({
  id: interaction.store === false ? undefined : interactionIdOf(ticket.requestId as RequestId),
  idSuffix: ticket.requestId.replace(/^req_/, ''),
  publicModel: model.id,
  createdSeconds: callIdentity(ticket).createdSeconds,
  nowSeconds: () => Math.floor(Date.now() / 1_000),
  offsets: hasNativeGenerate(model) ? 'bytes' : 'utf16',
  echoed: echoedInteractionFields(interaction),
});

/** The plan of a `generateContent` whose answer becomes an interaction. */
function overGenerate(
  plan: ExecutionPlan,
  frame: InteractionFrame,
  places: GenerateOfInteraction['places'],
): ExecutionPlan {
  switch (plan.kind) {
    case 'unary':
    case 'stream':
      return overAdapter(plan, frame, places);
    case 'whole': {
      const toStream = (body: Uint8Array): string => {
        const stream = new InteractionStream(frame);
        return stream.end(Buffer.from(plan.toStream(body))).toString('utf8');
      };
      const { progress: _, ...others } = plan;
      return { ...others, adapter: inClientsNames(plan.adapter, places), toStream };
    }
    default:
      throw new Error(`a content has no plan of kind ${plan.kind}`);
  }
}

function overAdapter(
  adapter: ModelAdapter,
  frame: InteractionFrame,
  places: GenerateOfInteraction['places'],
): ModelAdapter {
  const bound = inClientsNames(adapter, places);
  if (bound.kind === 'unary') {
    return {
      ...bound,
      readReply: (body) => {
        const reply = bound.readReply(body);
        return { ...reply, body: interactionOfReply(reply.body, frame) };
      },
    };
  }
  if (!bound.isCollected) return { ...bound, openReader: () => new EventsReader(bound.openReader(), frame) };
  return { ...bound, openReader: () => new WholeReader(bound.openReader(), frame) };
}

/** What the adapter changed, and the fields that it refuses, are reported in the client's own names. */
function inClientsNames<Adapter extends ModelAdapter>(
  adapter: Adapter,
  places: GenerateOfInteraction['places'],
): Adapter {
  return {
    ...adapter,
    buildRequest: (target) => {
      const { changes, ...wire } = named(places, () => adapter.buildRequest(target));
      return changes === undefined ? wire : { ...wire, changes: changesInNamesOfInteraction(changes, places) };
    },
  };
}

/** An error of this work names the client's own fields. */
function named<Result>(places: GenerateOfInteraction['places'], work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw isGatewayError(error) ? inNamesOfInteraction(error, places) : error;
  }
}

class EventsReader extends ReaderOver {
  readonly #stream: InteractionStream;

  constructor(reader: StreamReader, frame: InteractionFrame) {
    super(reader);
    this.#stream = new InteractionStream(frame);
  }

  read(bytes: Uint8Array): Uint8Array {
    return this.#stream.read(this.inner.read(bytes));
  }

  end(): Uint8Array {
    return this.#stream.end(this.inner.end());
  }
}

/** A collected stream: its reader returns the whole response at its end. */
class WholeReader extends ReaderOver {
  constructor(
    reader: StreamReader,
    private readonly frame: InteractionFrame,
  ) {
    super(reader);
  }

  read(bytes: Uint8Array): Uint8Array {
    return this.inner.read(bytes);
  }

  end(): Uint8Array {
    return interactionOfReply(this.inner.end(), this.frame);
  }
}
