import {
  GatewayError,
  type GenerateContent,
  type GeneratePart,
  type InteractionContent,
  type InteractionCreation,
  type InteractionElement,
  type InteractionFunctionResult,
  type InteractionStep,
  isInteractionContent,
} from '@gateway/contracts';

type Role = 'user' | 'model';
type StepOf<Type extends InteractionStep['type']> = Extract<InteractionStep, { readonly type: Type }>;

interface Contents {
  readonly contents: readonly GenerateContent[];
  /** The client's name of each part. */
  readonly places: ReadonlyMap<string, string>;
}

/** The input as turns. Neighbouring steps of one side are one turn. Throws a 400 that names the step. */
export function contentsOf(input: InteractionCreation['input']): Contents {
  const turns = new Turns();
  if (typeof input === 'string') turns.add('user', { text: input }, 'input');
  else if (!Array.isArray(input)) turns.add('user', partOf(input, 'input'), 'input');
  else addElements(input, turns);
  if (turns.contents.length === 0) throw invalid('input', 'expected a text or another content.');
  return turns;
}

function addElements(elements: readonly InteractionElement[], turns: Turns): void {
  const [first] = elements;
  const areContents = first !== undefined && isInteractionContent(first);
  elements.forEach((element, index) => {
    const path = `input[${index}]`;
    if (isInteractionContent(element) !== areContents) throw invalid(path, 'expected either contents or steps.');
    if (isInteractionContent(element)) turns.add('user', partOf(element, path), path);
    else addStep(element, path, turns);
  });
}

function addStep(step: InteractionStep, path: string, turns: Turns): void {
  switch (step.type) {
    case 'user_input':
      for (const [index, content] of (step.content ?? []).entries())
        addInput(content, `${path}.content[${index}]`, turns);
      return;
    case 'model_output':
      for (const [index, content] of (step.content ?? []).entries()) {
        const place = `${path}.content[${index}]`;
        turns.add('model', partOf(content, place), place);
      }
      return;
    case 'thought':
      turns.addThought(step, path);
      return;
    case 'function_call':
      turns.addCall(step, path);
      return;
    case 'function_result':
      turns.addResult(step, path);
      return;
    case 'code_execution_call': {
      const { code = '', language = 'python' } = step.arguments ?? {};
      const executed = { code: String(code), language: String(language).toUpperCase() };
      turns.add('model', { executableCode: executed }, path);
      return;
    }
    case 'code_execution_result':
      turns.add('model', { codeExecutionResult: executionResult(step) }, path);
      return;
    default:
      // What a tool of the vendor has read is not sent again: the model's answer says what it found.
      return;
  }
}

type Input = InteractionContent | InteractionFunctionResult;

/** Vercel's library puts results of functions among the contents of a user. */
function addInput(content: Input, path: string, turns: Turns): void {
  if (content.type === 'function_result') turns.addResult(content, path);
  else turns.add('user', partOf(content, path), path);
}

const executionResult = ({ result, is_error: isError }: StepOf<'code_execution_result'>) => ({
  outcome: isError === true ? 'OUTCOME_FAILED' : 'OUTCOME_OK',
  output: typeof result === 'string' ? result : JSON.stringify(result ?? ''),
});

function partOf(content: InteractionContent, path: string): GeneratePart {
  if (content.type === 'text') return { text: content.text };
  const { data, uri, mime_type: mimeType } = content;
  if (data != null) {
    if (mimeType == null) throw invalid(`${path}.mime_type`, 'expected the MIME type of the data.');
    return { inlineData: { mimeType, data } };
  }
  if (uri == null || uri === '') throw invalid(path, "expected 'data' or 'uri'.");
  return { fileData: { fileUri: uri, mimeType: mimeType ?? TYPES[content.type] } };
}

/** An address without a type: only what decides how it is counted and sent. */
const TYPES = {
  image: 'image/*',
  audio: 'audio/*',
  video: 'video/*',
  document: 'application/pdf',
} as const;

class Turns implements Contents {
  readonly contents: { readonly role: Role; readonly parts: GeneratePart[] }[] = [];
  readonly places = new Map<string, string>();
  /** The names of called functions, by the id of the call. */
  readonly #names = new Map<string, string>();
  /** Of a thought whose call may follow. */
  #signature: { readonly text: string; readonly path: string } | undefined;

  add(role: Role, part: GeneratePart, path: string): void {
    this.#flushSignature();
    this.#append(role, part, path);
  }

  /** A signature belongs to the call after its thought, else to the turn. Summaries are for people. */
  addThought({ signature }: StepOf<'thought'>, path: string): void {
    this.#flushSignature();
    if (signature != null && signature !== '') this.#signature = { text: signature, path };
  }

  addCall({ id, name, arguments: args, signature: own }: StepOf<'function_call'>, path: string): void {
    this.#names.set(id, name);
    const signature = own || this.#signature?.text;
    this.#signature = undefined;
    const call = { id, name, args: args ?? {} };
    this.#append('model', { functionCall: call, ...(signature && { thoughtSignature: signature }) }, path);
  }

  addResult(result: InteractionFunctionResult, path: string): void {
    const name = result.name ?? this.#names.get(result.call_id);
    if (name === undefined) throw invalid(`${path}.call_id`, 'no earlier function call has this id.');
    const response = responseOf(result, path);
    this.add('user', { functionResponse: { id: result.call_id, name, ...response } }, path);
  }

  #flushSignature(): void {
    const signature = this.#signature;
    this.#signature = undefined;
    if (signature !== undefined) this.#append('model', { text: '', thoughtSignature: signature.text }, signature.path);
  }

  #append(role: Role, part: GeneratePart, path: string): void {
    let last = this.contents.at(-1);
    if (last?.role !== role) {
      last = { role, parts: [] };
      this.contents.push(last);
    }
    this.places.set(`contents[${this.contents.length - 1}].parts[${last.parts.length}]`, path);
    last.parts.push(part);
  }
}

type FunctionResponse = Pick<NonNullable<GeneratePart['functionResponse']>, 'response' | 'parts'>;

/** Texts become the output of a function, and media their parts. */
function responseOf({ result, is_error: isError }: InteractionFunctionResult, path: string): FunctionResponse {
  const wrap = (value: unknown) => (isError === true ? { error: value } : { output: value });
  if (!Array.isArray(result)) {
    const isOwn = typeof result === 'object' && isError !== true;
    return { response: isOwn ? (result as Record<string, unknown>) : wrap(result) };
  }
  const contents = result as readonly InteractionContent[];
  const text = contents.map((content) => (content.type === 'text' ? content.text : '')).join('');
  const media = contents.flatMap((content, index) => {
    const place = `${path}.result[${index}]`;
    const { inlineData, fileData } = partOf(content, place);
    if (fileData !== undefined) throw invalid(`${place}.uri`, "expected 'data': a result takes no addresses.");
    return inlineData === undefined ? [] : [{ inlineData }];
  });
  return { response: wrap(text), ...(media.length > 0 && { parts: media }) };
}

const invalid = (param: string, why: string): GatewayError =>
  new GatewayError('invalid_request', `'${param}': ${why}`, { param });
