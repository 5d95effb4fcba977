import { readdirSync, readFileSync } from 'node:fs';
import type { Usage } from '@gateway/contracts';
import type { FailureKind } from '../protocol.js';

export interface RequestFixture {
  readonly name: string;
  readonly client: { readonly model: string };
  readonly upstream: { readonly url: string; readonly body: object };
}

export interface ReplyFixture {
  readonly name: string;
  readonly client: { readonly model: string };
  readonly upstream: object;
  readonly answer: object;
  readonly usage: Usage;
}

export interface StreamFixture {
  readonly name: string;
  readonly client: { readonly model: string };
  readonly usage: Usage;
  readonly upstream: Buffer;
  readonly answer: Buffer;
}

export interface FailureFixture {
  readonly name: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly kind: FailureKind;
  readonly code: string;
  readonly retryAfterMs?: number;
  /** Body for the client, if the upstream's error passes through. */
  readonly passes?: unknown;
}

const folderOf = (id: string): URL => new URL(`../${id}/__fixtures__/`, import.meta.url);

function readJson<Fixture>(id: string, file: string): readonly Fixture[] {
  return JSON.parse(readFileSync(new URL(file, folderOf(id)), 'utf8')) as readonly Fixture[];
}

export const requestFixtures = (id: string): readonly RequestFixture[] => readJson(id, 'requests.json');
export const replyFixtures = (id: string): readonly ReplyFixture[] => readJson(id, 'replies.json');
export const failureFixtures = (id: string): readonly FailureFixture[] => readJson(id, 'failures.json');

/** Entries of `streams.json` with their upstream bytes and expected client bytes. */
export const streamFixtures = (id: string): readonly StreamFixture[] =>
  readJson<Omit<StreamFixture, 'upstream' | 'answer'>>(id, 'streams.json').map((fixture) => ({
    ...fixture,
    upstream: readFileSync(new URL(`${fixture.name}.upstream.sse`, folderOf(id))),
    answer: readFileSync(new URL(`${fixture.name}.client.sse`, folderOf(id))),
  }));

/** Streams that end with an error of the upstream. */
export const brokenStreams = (id: string): readonly { name: string; upstream: Buffer }[] =>
  readdirSync(folderOf(id))
    .filter((file) => file.endsWith('.broken.sse'))
    .map((file) => ({ name: file, upstream: readFileSync(new URL(file, folderOf(id))) }));
