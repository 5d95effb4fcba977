import { type VideoProtocolId, type VideoSubmission, videoSubmission } from '@gateway/contracts';
import { type Target, VIDEO_PROTOCOLS, type VideoCall, type WireRequest } from '@gateway/upstreams';

/** Vendors accept less. The task's row is written in the event loop. */
const MAX_KEPT_PROMPT = 100_000;

/** What the worker itself needs of a submission. The rest is for the upstream, and may hold images of megabytes. */
export interface SubmissionFacts extends Omit<VideoSubmission, 'input' | 'parameters'> {
  /** Recovery finds a lost submission by this text: upstreams repeat it in their records. Null: none, or a very long one. */
  readonly prompt: string | null;
  /** The seed that was asked for: not every upstream repeats it. */
  readonly seed: number | null;
}

/** One upstream request of a submission, without the submission. */
export interface SubmitCall {
  readonly protocol: VideoProtocolId;
  readonly call: Omit<VideoCall, 'request'>;
  readonly target: Target;
}

/** The body of a ticket. That of a long one is in a thread. */
export interface ReceivedSubmission {
  readonly facts: SubmissionFacts;
  /** Throws as the protocol's `buildSubmit` does, and 503 if the thread failed. */
  buildSubmit(submit: SubmitCall): WireRequest | Promise<WireRequest>;
  /** Frees the thread's part. */
  close(): void;
}

function promptOf({ input }: VideoSubmission): string | null {
  return typeof input.prompt === 'string' && input.prompt.length <= MAX_KEPT_PROMPT ? input.prompt : null;
}

function seedOf({ input, parameters }: VideoSubmission): number | null {
  const seed = [parameters.seed, input.seed].find((value) => Number.isSafeInteger(value));
  return typeof seed === 'number' ? seed : null;
}

function factsOf(submission: VideoSubmission): SubmissionFacts {
  const { input: _input, parameters: _parameters, ...facts } = submission;
  return { ...facts, prompt: promptOf(submission), seed: seedOf(submission) };
}

/** Reads the body where it is called. Undefined: a newer edge has written it. */
export function receiveSubmission(body: Buffer): ReceivedSubmission | undefined {
  const { success, data: request } = videoSubmission.safeParse(JSON.parse(body.toString('utf8')));
  if (!success) return undefined;
  return {
    facts: factsOf(request),
    buildSubmit: ({ protocol, call, target }) => VIDEO_PROTOCOLS[protocol].buildSubmit({ ...call, request }, target),
    close: () => undefined,
  };
}
