import { readFileSync } from 'node:fs';
import type { TaskReading, VideoModelTraits, VideoSubmission } from '@gateway/contracts';
import type { FailureKind, FoundTask, Target, VideoCall } from '../protocol.js';

type Json = unknown;
type Fields = Readonly<Record<string, unknown>>;

export interface ClientVideo {
  readonly model: string;
  readonly input: Fields;
  readonly parameters: Fields;
}

interface Files {
  readonly requests: {
    readonly client: ClientVideo;
    readonly upstream: { readonly url: string; readonly body: object };
  };
  readonly submitted: { readonly body: Json; readonly upstreamTaskId: string };
  /** null: an empty body. */
  readonly statuses: { readonly body: Json; readonly reading: Omit<TaskReading, 'native'>; readonly native?: Json };
  readonly unreadable: { readonly body: Json };
  readonly 'poll-failures': {
    readonly status: number;
    readonly body: Json;
    readonly state?: 'unknown';
    readonly kind?: FailureKind;
  };
  readonly cancels: { readonly status: number; readonly body: Json; readonly isRefusal: boolean };
  readonly lists: {
    readonly body: Json;
    readonly model: string;
    readonly found: readonly FoundTask[];
    readonly url: string;
    readonly window: { readonly sinceMs: number; readonly untilMs: number };
  };
}

/** Reads one fixture file of a protocol. */
export function videoFixtures<File extends keyof Files>(id: string, file: File) {
  const url = new URL(`../${id}/__fixtures__/${file}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as readonly (Files[File] & { readonly name: string })[];
}

/** Encodes a body: JSON, an HTML page, or nothing for null. */
export const bytesOf = (body: Json): Buffer =>
  Buffer.from(body === null ? '' : typeof body === 'string' && body.startsWith('<') ? body : JSON.stringify(body));

const TRAITS: VideoModelTraits = {
  bodyFormat: 'wan-2.7',
  mode: 'any',
  resolutions: ['720p'],
  aspectRatios: ['16:9'],
  durations: { least: 2, most: 15 },
  discountTiers: [],
  deadlineSeconds: 3_600,
  firstPollSeconds: 5,
};

export function videoCallOf({ model, input, parameters }: ClientVideo): VideoCall {
  const request: VideoSubmission = {
    schemaVersion: 1,
    taskId: 'task_abcdefghijklmnopqrstuvwxyz',
    durationSeconds: 5,
    resolution: '720p',
    aspectRatio: '16:9',
    unit: 'second_720p',
    input,
    parameters,
  };
  return {
    request,
    publicModel: model,
    traits: TRAITS,
    requestId: 'req_abcdefghijklmnopqrstuvwxyz',
    createdSeconds: 1_795_168_800,
  };
}

export const videoTargetOf = (upstreamModel: string): Target => ({
  baseUrl: 'https://upstream.example',
  credential: 'secret-credential',
  upstreamModel,
});
