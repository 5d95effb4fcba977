import { interactionTime } from '@gateway/contracts';
import type { CitationOffsets } from './citations.js';
import { type Candidate, type Metadata, type Reply, type ReplyPart, usageOf } from './reply.js';
import { StepBuilder, type StepEvents } from './step-builder.js';

/** What an interaction says beside its steps. */
export interface InteractionFrame {
  /** Undefined: it is not stored, so it has no id. */
  readonly id: string | undefined;
  /** Ends the ids of calls that an upstream does not name. */
  readonly idSuffix: string;
  readonly publicModel: string;
  readonly createdSeconds: number;
  /** Unix seconds of now. */
  readonly nowSeconds: () => number;
  readonly offsets: CitationOffsets;
  /** What it repeats of its request. */
  readonly echoed: Readonly<Record<string, unknown>>;
}

const MAX_TOKENS = 'MAX_TOKENS';
const BLOCKED: ReadonlySet<string> = new Set([
  ...(['SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII', 'RECITATION', 'IMAGE_SAFETY'] as const),
  'BLOCKED_REASON_UNSPECIFIED',
]);

/** An interaction as it is made from the responses of `generateContent`. */
export class InteractionAnswer {
  readonly #steps: StepBuilder;
  #hasBegun = false;
  #last: Candidate | undefined;
  #reason: string | undefined;
  #usage: Metadata | undefined;

  constructor(
    private readonly frame: InteractionFrame,
    private readonly events: StepEvents,
  ) {
    this.#steps = new StepBuilder(events, frame);
  }

  add({ candidates, promptFeedback, usageMetadata }: Reply): string {
    const begun = this.#begin();
    const candidate = candidates?.find(({ index = 0 }) => index === 0);
    this.#usage = usageMetadata ?? this.#usage;
    this.#reason = candidate?.finishReason ?? promptFeedback?.blockReason ?? this.#reason;
    if (candidate !== undefined) this.#last = { ...this.#last, ...candidate };
    const parts: readonly ReplyPart[] = candidate?.content?.parts ?? [];
    return begun + parts.map((part) => this.#steps.add(part)).join('');
  }

  /** The last events. */
  close(): string {
    const begun = this.#begin();
    const ended = this.#steps.close(this.#last);
    return begun + ended + this.events.write('interaction.completed', { interaction: this.object() });
  }

  object(): object {
    const { id, publicModel, createdSeconds, nowSeconds, echoed } = this.frame;
    const failure = this.#failure();
    return {
      ...(id !== undefined && { id }),
      object: 'interaction',
      model: publicModel,
      status: failure === undefined ? this.#status() : 'failed',
      created: interactionTime(createdSeconds),
      updated: interactionTime(nowSeconds()),
      service_tier: 'standard',
      ...echoed,
      steps: this.#steps.steps,
      ...(failure !== undefined && { errors: [failure] }),
      usage: usageOf(this.#usage ?? {}),
    };
  }

  #begin(): string {
    if (this.#hasBegun) return '';
    this.#hasBegun = true;
    const { id = '', publicModel: model, createdSeconds } = this.frame;
    const status = 'in_progress';
    const interaction = { id, object: 'interaction', model, status, created: interactionTime(createdSeconds) };
    return (
      this.events.write('interaction.created', { interaction }) +
      this.events.write('interaction.status_update', { interaction_id: id, status })
    );
  }

  #status(): string {
    if (this.#reason === MAX_TOKENS) return 'incomplete';
    return this.#steps.hasCalls ? 'requires_action' : 'completed';
  }

  #failure(): { readonly code: string; readonly message: string } | undefined {
    const reason = this.#reason ?? 'STOP';
    if (reason === 'STOP' || reason === MAX_TOKENS) return undefined;
    if (BLOCKED.has(reason)) return { code: 'blocked_by_safety', message: `The answer was blocked: ${reason}.` };
    return { code: reason.toLowerCase(), message: `The model ended its answer: ${reason}.` };
  }
}
