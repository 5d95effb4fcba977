import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RecordedAnswer } from './recorded-answers.js';

/** What the vendors' own libraries return for an operation. `event`: each event of its stream. */
interface VendorType {
  readonly whole?: string;
  readonly event?: string;
}

/*
 * Their authors generate these types from the vendors' own descriptions: OpenAI's and Anthropic's files, and Google's
 * discovery document.
 */
const VENDOR_TYPES: Readonly<Record<string, VendorType>> = {
  'chat.completions': { whole: 'OpenAI.Chat.ChatCompletion', event: 'OpenAI.Chat.ChatCompletionChunk' },
  'completions.create': { whole: 'OpenAI.Completion' },
  'responses.create': { whole: 'OpenAI.Responses.Response', event: 'OpenAI.Responses.ResponseStreamEvent' },
  'responses.get': { whole: 'OpenAI.Responses.Response' },
  'responses.cancel': { whole: 'OpenAI.Responses.Response' },
  'responses.compact': { whole: 'Compaction' },
  'responses.countTokens': { whole: 'OpenAI.Responses.InputTokenCountResponse' },
  'responses.inputItems': { whole: 'Page<OpenAI.Responses.ResponseItem>' },
  'conversations.create': { whole: 'OpenAI.Conversations.Conversation' },
  'conversations.get': { whole: 'OpenAI.Conversations.Conversation' },
  'conversations.change': { whole: 'OpenAI.Conversations.Conversation' },
  'conversations.delete': { whole: 'OpenAI.Conversations.ConversationDeletedResource' },
  'conversations.addItems': { whole: 'OpenAI.Conversations.ConversationItemList' },
  'conversations.listItems': { whole: 'OpenAI.Conversations.ConversationItemList' },
  'conversations.getItem': { whole: 'OpenAI.Conversations.ConversationItem' },
  'conversations.deleteItem': { whole: 'OpenAI.Conversations.Conversation' },
  'images.edits': { whole: 'OpenAI.ImagesResponse' },
  'audio.transcriptions': { whole: 'OpenAI.Audio.Transcription' },
  'files.create': { whole: 'OpenAI.FileObject' },
  'files.get': { whole: 'OpenAI.FileObject' },
  'files.list': { whole: 'Page<OpenAI.FileObject>' },
  'files.delete': { whole: 'OpenAI.FileDeleted' },
  'batches.create': { whole: 'OpenAI.Batch' },
  'batches.get': { whole: 'OpenAI.Batch' },
  'batches.cancel': { whole: 'OpenAI.Batch' },
  'batches.list': { whole: 'Page<OpenAI.Batch>' },
  'models.list': { whole: 'Page<OpenAI.Model>' },
  'models.get': { whole: 'OpenAI.Model' },
  'messages.create': { whole: 'Anthropic.Message', event: 'Anthropic.RawMessageStreamEvent' },
  'messages.countTokens': { whole: 'Anthropic.MessageTokensCount' },
  'messageBatches.create': { whole: 'Anthropic.Messages.MessageBatch' },
  'messageBatches.get': { whole: 'Anthropic.Messages.MessageBatch' },
  'messageBatches.cancel': { whole: 'Anthropic.Messages.MessageBatch' },
  'messageBatches.delete': { whole: 'Anthropic.Messages.DeletedMessageBatch' },
  'messageBatches.list': { whole: 'Page<Anthropic.Messages.MessageBatch>' },
  'gemini.generateContent': { whole: 'Wire<google.GenerateContentResponse>' },
  'gemini.streamGenerateContent': { event: 'Wire<google.GenerateContentResponse>' },
  'gemini.embedContent': { whole: 'Wire<google.EmbedContentResponse>' },
  'gemini.batchEmbedContents': { whole: 'Wire<google.EmbedContentResponse>' },
  'gemini.countTokens': { whole: 'Wire<google.CountTokensResponse>' },
  'interactions.create': { whole: 'google.Interactions.Interaction', event: 'google.Interactions.InteractionSSEEvent' },
  'interactions.get': { whole: 'google.Interactions.Interaction' },
  'interactions.cancel': { whole: 'google.Interactions.Interaction' },
  'interactions.delete': { whole: 'google.Interactions.InteractionDeleteResponse' },
};

/*
 * What a client relies on: each field of the vendor is there, and has one of its values. Null may stand for an absent
 * field, which is what the vendors send, and fields that the vendor does not have are ignored. Google's types are classes
 * with getters and enums; on the wire they are fields, all optional, and texts.
 */
const HEAD = `import type Anthropic from '@anthropic-ai/sdk';
import type * as google from '@google/genai';
import type OpenAI from 'openai';
type Loose<T> = T extends string ? \`\${T}\` : T extends readonly (infer E)[] ? Loose<E>[] : T extends object ? Open<T> : T;
type Free<T> = { [K in keyof T]-?: undefined extends T[K] ? K : null extends T[K] ? K : never }[keyof T];
// The library adds \`output_text\` to what the vendor sends.
type Open<T> = { [K in Exclude<keyof T, Free<T> | 'output_text'>]: Loose<T[K]> } & { [K in Free<T>]?: Loose<T[K]> | null } & Record<string, unknown>;
type Wire<T> = T extends string ? \`\${T}\` : T extends readonly (infer E)[] ? Wire<E>[] : T extends object ? Sent<T> : T;
type Sent<T> = { [K in keyof T]?: Wire<T[K]> } & Record<string, unknown>;
// The vendor's own compactions have the user's messages too.
type Compaction = Omit<OpenAI.Responses.CompactedResponse, 'output'>;
type Page<T> = { data: T[] };
const hold = <T,>(_value: T): void => {};
`;

const line = (name: string, type: string, value: unknown): string => {
  const open = type.startsWith('Wire<') ? type : `Loose<${type}>`;
  return `/* ${name} */ hold<${open}>(${JSON.stringify(value)});`;
};

/** The library drops these events. */
const isKeepAlive = (event: unknown): boolean => (event as { readonly type?: string }).type === 'ping';

function eventsOf(body: unknown): readonly unknown[] {
  const found = String(body).matchAll(/^data: ?(\{.*\})$/gm);
  const events = [...found].flatMap(([, text = '']) => {
    try {
      return [JSON.parse(text)];
    } catch {
      // The recording is cut at its end.
      return [];
    }
  });
  return events.filter((event) => !isKeepAlive(event));
}

function linesOf([name, answer]: readonly [string, RecordedAnswer]): readonly string[] {
  const type = VENDOR_TYPES[name.split('/')[0] ?? name];
  if (type === undefined || answer.status !== 200) return [];
  if (answer.contentType === 'application/json') {
    return type.whole === undefined ? [] : [line(name, type.whole, answer.body)];
  }
  return eventsOf(answer.body).map((event) => line(name, type.event ?? 'never', event));
}

/** Operations of the table without a recorded answer. */
export const unrecordedOperations = (recorded: Readonly<Record<string, RecordedAnswer>>): readonly string[] =>
  Object.keys(VENDOR_TYPES).filter((id) => !Object.keys(recorded).some((name) => name.startsWith(`${id}/`)));

const CONFIG = {
  compilerOptions: {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
  },
  files: ['answers.mts'],
};

/** What the compiler says of recorded answers as the types of the vendors' libraries. Empty: they fit. */
export async function vendorTypeFaults(recorded: Readonly<Record<string, RecordedAnswer>>): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-types-'));
  const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
  symlinkSync(modules, join(folder, 'node_modules'));
  const lines = Object.entries(recorded).flatMap(linesOf);
  writeFileSync(join(folder, 'answers.mts'), `${HEAD}${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
  const compiler = join(modules, 'typescript/bin/tsc');
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
  if (process.env.KEEP_VENDOR_TYPES === undefined) rmSync(folder, { recursive: true });
  const offset = HEAD.split('\n').length;
  return output
    .trim()
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => text.replace(/^.*answers\.mts\((\d+),\d+\)/, (_whole, at) => nameAt(lines, Number(at) - offset)));
}

const nameAt = (lines: readonly string[], index: number): string =>
  /^\/\* (.*?) \*\//.exec(lines[index] ?? '')?.[1] ?? '';
