import { annotationsOf, type CitationOffsets } from './citations.js';
import type { Candidate, ReplyPart } from './reply.js';

/** Writes the events of steps. A whole answer has none. */
export interface StepEvents {
  write(type: string, fields: object): string;
}

interface TextContent {
  readonly type: 'text';
  text: string;
  annotations?: readonly object[];
}

interface OutputStep {
  readonly type: 'model_output';
  readonly content: (TextContent | { readonly type: 'image'; readonly mime_type: string; readonly data: string })[];
}

interface ThoughtStep {
  readonly type: 'thought';
  signature?: string;
  summary?: readonly [{ readonly type: 'text'; readonly text: string }];
}

type OpenStep = OutputStep | ThoughtStep;

interface Options {
  /** Ends the ids that an upstream does not give. */
  readonly idSuffix: string;
  readonly offsets: CitationOffsets;
}

const OK = 'OUTCOME_OK';
const FETCHED = 'URL_RETRIEVAL_STATUS_SUCCESS';

/** Makes the steps of an interaction from parts of `generateContent`, as they arrive. */
export class StepBuilder {
  readonly steps: object[] = [];
  hasCalls = false;
  #open: OpenStep | undefined;
  #lastText: TextContent | undefined;
  #codeId = '';
  #ids = 0;

  constructor(
    private readonly events: StepEvents,
    private readonly options: Options,
  ) {}

  add(part: ReplyPart): string {
    const { text, thought, thoughtSignature: signature, inlineData, functionCall } = part;
    if (functionCall !== undefined) return this.#call(functionCall, signature);
    if (thought === true) return this.#think(text ?? '', signature);
    const written = inlineData === undefined ? this.#say(text ?? '') : this.#show(inlineData);
    return written + this.#ran(part) + (signature ? this.#sign(signature) : '');
  }

  /** Ends the steps. `last`: what the last event says of the whole answer. */
  close(last: Candidate | undefined): string {
    const cited = last === undefined ? '' : this.#cite(last);
    return cited + this.stop() + (last === undefined ? '' : this.#fetched(last));
  }

  stop(): string {
    if (this.#open === undefined) return '';
    this.#open = undefined;
    return this.events.write('step.stop', { index: this.steps.length - 1 });
  }

  #start<Step extends object>(step: Step, shown: object = step): string {
    const stopped = this.stop();
    this.steps.push(step);
    return stopped + this.events.write('step.start', { index: this.steps.length - 1, step: shown });
  }

  #delta(delta: object): string {
    return this.events.write('step.delta', { index: this.steps.length - 1, delta });
  }

  /** A step that arrives whole. */
  #whole(step: object, shown: object, delta: object): string {
    const started = this.#start(step, shown);
    const index = this.steps.length - 1;
    return started + this.#delta(delta) + this.events.write('step.stop', { index });
  }

  #output(): { readonly started: string; readonly step: OutputStep } {
    if (this.#open?.type === 'model_output') return { started: '', step: this.#open };
    const step: OutputStep = { type: 'model_output', content: [] };
    const started = this.#start(step, { type: 'model_output' });
    this.#open = step;
    return { started, step };
  }

  #say(text: string): string {
    if (text === '') return '';
    const { started, step } = this.#output();
    const last = step.content.at(-1);
    if (last?.type === 'text') last.text += text;
    else {
      this.#lastText = { type: 'text', text };
      step.content.push(this.#lastText);
    }
    return started + this.#delta({ type: 'text', text });
  }

  #show({ mimeType = 'image/png', data = '' }: NonNullable<ReplyPart['inlineData']>): string {
    const { started, step } = this.#output();
    const image = { type: 'image', mime_type: mimeType, data } as const;
    step.content.push(image);
    return started + this.#delta(image);
  }

  #thought(): { readonly started: string; readonly step: ThoughtStep } {
    if (this.#open?.type === 'thought' && this.#open.signature === undefined) return { started: '', step: this.#open };
    const step: ThoughtStep = { type: 'thought' };
    const started = this.#start(step, { type: 'thought' });
    this.#open = step;
    return { started, step };
  }

  #think(text: string, signature: string | undefined): string {
    const { started, step } = this.#thought();
    if (text === '') return started + (signature ? this.#sign(signature) : '');
    step.summary = [{ type: 'text', text: (step.summary?.[0]?.text ?? '') + text }];
    const delta = this.#delta({ type: 'thought_summary', content: { type: 'text', text } });
    return started + delta + (signature ? this.#sign(signature) : '');
  }

  /** A signature of what is not a thought gets a thought of its own, as the vendor writes it. */
  #sign(signature: string): string {
    const { started, step } = this.#thought();
    step.signature = signature;
    return started + this.#delta({ type: 'thought_signature', signature });
  }

  #call({ id, name, args = {} }: NonNullable<ReplyPart['functionCall']>, signature: string | undefined): string {
    this.hasCalls = true;
    const signed = signature ? this.#sign(signature) : '';
    const step = { type: 'function_call', id: id || this.#newId('call'), name, arguments: args };
    const delta = { type: 'arguments_delta', arguments: JSON.stringify(args) };
    return signed + this.#whole(step, { ...step, arguments: {} }, delta);
  }

  /** What the vendor's own tool ran. */
  #ran({ executableCode: code, codeExecutionResult: result }: ReplyPart): string {
    if (code !== undefined) {
      this.#codeId = code.id || this.#newId('code');
      const language = (code.language ?? 'python').toLowerCase();
      const call = { type: 'code_execution_call', id: this.#codeId, arguments: { code: code.code ?? '', language } };
      return this.#whole(call, { ...call, arguments: {} }, call);
    }
    if (result === undefined) return '';
    const { outcome = OK, output = '' } = result;
    const step = {
      type: 'code_execution_result',
      call_id: this.#codeId || this.#newId('code'),
      result: output,
      is_error: outcome !== OK,
    };
    return this.#whole(step, { ...step, result: '' }, step);
  }

  #cite(candidate: Candidate): string {
    const text = this.#lastText;
    if (text === undefined) return '';
    const annotations = annotationsOf(candidate, text.text, this.options.offsets);
    if (annotations.length === 0) return '';
    text.annotations = annotations;
    return this.#open?.type === 'model_output' ? this.#delta({ type: 'text_annotation_delta', annotations }) : '';
  }

  #fetched({ urlContextMetadata }: Candidate): string {
    const pages = urlContextMetadata?.urlMetadata ?? [];
    if (pages.length === 0) return '';
    const id = this.#newId('url');
    const call = { type: 'url_context_call', id, arguments: { urls: pages.map(({ retrievedUrl }) => retrievedUrl) } };
    const result = pages.map(({ retrievedUrl: url, urlRetrievalStatus: status }) => ({
      url,
      status: status === FETCHED ? 'success' : 'error',
    }));
    const step = { type: 'url_context_result', call_id: id, result };
    return this.#whole(call, { ...call, arguments: {} }, call) + this.#whole(step, { ...step, result: [] }, step);
  }

  #newId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${this.options.idSuffix}${String(this.#ids).padStart(4, '0')}`;
  }
}
