import { PromptTally } from '../../count/tokens.js';
import { type Fields, fieldsOf, isFields, listOf, textOf } from '../../json/fields.js';
import type { IncomingRequest } from '../vendor-emulator.js';
import { invalid, refuse } from './anthropic-errors.js';
import { type AnthropicModel, findModel } from './anthropic-models.js';
import { CachePrefix, hasCacheControl } from './cache-prefix.js';
import { checkRequest, checkVersion } from './check-request.js';
import { isSigned } from './message.js';

const BLOCK_TYPES =
  'advisor_tool_result bash_code_execution_tool_result compaction document fallback image redacted_thinking search_result server_tool_use text thinking tool_result tool_use web_search_tool_result'.split(
    ' ',
  );
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** Receivers of a prompt's contents. */
interface PromptSinks {
  readonly tally: PromptTally;
  /** Null: the prompt has no `cache_control`. */
  readonly cache: CachePrefix | null;
  readonly betas: readonly string[];
}

const checkImage = (block: Fields, where: string): void => {
  const source = fieldsOf(block.source);
  if (source.type === 'base64' && !IMAGE_TYPES.includes(textOf(source.media_type))) {
    throw invalid(
      `${where}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
    );
  }
  if (!['base64', 'url', 'file'].includes(textOf(source.type))) {
    throw invalid(
      `${where}.image.source: Input tag '${textOf(source.type)}' found using 'type' does not match any of the expected tags: 'base64', 'file', 'url'`,
    );
  }
};

const checkThinking = (block: Fields, where: string): void => {
  if (typeof block.signature !== 'string') throw invalid(`${where}.thinking.signature: Field required`);
  if (!isSigned(textOf(block.thinking), block.signature)) {
    throw invalid(`${where}: Invalid \`signature\` in \`thinking\` block`);
  }
};

const documentText = (block: Fields): string => {
  const source = fieldsOf(block.source);
  return source.type === 'text' ? textOf(source.data) : '';
};

const TOOL_USE_ID = /^[a-zA-Z0-9_-]+$/;

const checkToolUse = (block: Fields, where: string): void => {
  if (!isFields(block.input)) throw invalid(`${where}.tool_use.input: Input should be a valid dictionary`);
  if (!TOOL_USE_ID.test(textOf(block.id))) {
    throw invalid(`${where}.tool_use.id: String should match pattern '${TOOL_USE_ID.source}'`);
  }
};

const checkErrorText = ({ is_error: isError, content }: Fields, where: string): void => {
  const isEmpty = textOf(content) === '' && listOf(content).length === 0;
  if (isError === true && isEmpty) {
    throw invalid(`${where}.tool_result: content cannot be empty if \`is_error\` is true`);
  }
};

/** Returns the text that the block counts. */
const readBlock = (block: Fields, where: string, { tally }: PromptSinks): string => {
  const type = textOf(block.type);
  switch (type) {
    case 'text':
      if (textOf(block.text) === '') throw invalid('messages: text content blocks must be non-empty');
      return textOf(block.text);
    case 'image':
      checkImage(block, where);
      tally.images += 1;
      return '';
    case 'document':
      tally.files += fieldsOf(block.source).type === 'text' ? 0 : 1;
      return documentText(block);
    case 'thinking':
      checkThinking(block, where);
      return '';
    case 'redacted_thinking':
      // The simulator redacts nothing, so no such block is its own.
      throw invalid(`${where}: Invalid \`data\` in \`redacted_thinking\` block`);
    case 'tool_use':
      checkToolUse(block, where);
      return '';
    case 'tool_result':
      checkErrorText(block, where);
      return typeof block.content === 'string' ? block.content : readNested(block, where, tally);
    default:
      if (!BLOCK_TYPES.includes(type)) {
        throw invalid(
          `${where}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${BLOCK_TYPES.map((one) => `'${one}'`).join(', ')}`,
        );
      }
      return '';
  }
};

const readNested = (block: Fields, where: string, tally: PromptTally): string =>
  listOf(block.content)
    .map((part, at) =>
      readBlock(fieldsOf(part), `${where}.tool_result.content.${at}`, { tally, cache: null, betas: [] }),
    )
    .join('');

const blocksOf = (content: unknown, where: string): readonly Fields[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw invalid(`${where}.content: Field required`);
  return content.map(fieldsOf);
};

/** Blocks of a later system message that change the tools; `beta` is how the name of one that allows them begins. */
const TOOL_CHANGES: readonly (readonly [change: string, tool: string, beta: RegExp])[] = [
  ['tool_addition', 'tool_definition', /^inline-tools-/],
  ['tool_addition', 'tool_reference', /^(inline-tools|mid-conversation-tool-changes)-/],
  ['tool_removal', 'tool_reference', /^(inline-tools|mid-conversation-tool-changes)-/],
];

const changesTools = ({ type, tool }: Fields, betas: readonly string[]): boolean =>
  TOOL_CHANGES.some(
    ([change, kind, beta]) => type === change && fieldsOf(tool).type === kind && betas.some((name) => beta.test(name)),
  );

const readSystem = (system: unknown, sinks: PromptSinks): void => {
  for (const block of typeof system === 'string' ? [{ type: 'text', text: system }] : listOf(system).map(fieldsOf)) {
    if (changesTools(block, sinks.betas)) {
      sinks.tally.addText(JSON.stringify(block));
      continue;
    }
    if (block.type !== 'text') {
      throw invalid(
        `system.0: Input tag '${textOf(block.type)}' found using 'type' does not match any of the expected tags: 'text'`,
      );
    }
    sinks.tally.addText(textOf(block.text));
    sinks.cache?.add(block, textOf(block.text));
  }
};

const readMessage = (message: Fields, at: number, sinks: PromptSinks): readonly Fields[] => {
  if (message.role !== 'user' && message.role !== 'assistant') {
    throw invalid(`messages.${at}.role: Input should be 'user' or 'assistant'`);
  }
  const blocks = blocksOf(message.content, `messages.${at}`);
  const texts = blocks.map((block, index) => {
    const text = readBlock(block, `messages.${at}.content.${index}`, sinks);
    if (block.type === 'tool_result') {
      sinks.tally.addToolResult(text);
    } else {
      sinks.tally.addText(text);
    }
    sinks.cache?.add(block, text);
    return block.type === 'text' ? text : '';
  });
  if (message.role === 'user') sinks.tally.lastUserText = texts.join('');
  return blocks;
};

const idsOf = (blocks: readonly Fields[], type: string, name: string): string[] =>
  blocks.filter((block) => block.type === type).map((block) => textOf(block[name]));

const checkToolResults = (before: readonly Fields[], blocks: readonly Fields[], at: number): void => {
  const results = idsOf(blocks, 'tool_result', 'tool_use_id');
  const calls = idsOf(before, 'tool_use', 'id');
  const missingResults = calls.filter((id) => !results.includes(id));
  if (missingResults.length > 0) {
    throw invalid(
      `messages.${at - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missingResults.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );
  }
  const unexpected = results.find((id) => !calls.includes(id));
  if (unexpected !== undefined) {
    throw invalid(
      `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${unexpected}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    );
  }
};

/** `known`: ids of the calls before. */
const checkUniqueCalls = (blocks: readonly Fields[], at: number, known: Set<string>): void => {
  blocks.forEach(({ type, id }, index) => {
    if (type !== 'tool_use') return;
    if (known.has(textOf(id))) throw invalid(`messages.${at}.content.${index}: \`tool_use\` ids must be unique`);
    known.add(textOf(id));
  });
};

/** Some models accept a system message, directly after a user's. */
const readSystemMessage = (
  message: Fields,
  at: number,
  roleBefore: unknown,
  supportsSystemMessages: boolean,
  sinks: PromptSinks,
) => {
  if (!supportsSystemMessages) throw invalid(`messages.${at}.role: role 'system' is not supported on this model`);
  if (roleBefore !== 'user') throw invalid(`messages.${at}: a 'system' message must follow a 'user' message`);
  readSystem(message.content, sinks);
};

const readMessages = (messages: unknown, supportsSystemMessages: boolean, sinks: PromptSinks): void => {
  if (!Array.isArray(messages)) throw invalid('messages: Field required');
  if (messages.length === 0) throw invalid('messages: at least one message is required');
  let before: readonly Fields[] = [];
  const calls = new Set<string>();
  messages.map(fieldsOf).forEach((message, at, all) => {
    if (message.role === 'system' && at > 0) {
      readSystemMessage(message, at, all[at - 1]?.role, supportsSystemMessages, sinks);
      return;
    }
    if (at === 0 && message.role !== 'user') throw invalid('messages: first message must use the "user" role');
    const blocks = readMessage(message, at, sinks);
    checkToolResults(before, blocks, at);
    checkUniqueCalls(blocks, at, calls);
    before = message.role === 'assistant' ? blocks : [];
  });
  const open = idsOf(before, 'tool_use', 'id');
  if (open.length > 0) checkToolResults(before, [], messages.length);
};

export interface AnthropicCall {
  readonly request: Fields;
  readonly betas: readonly string[];
  readonly model: AnthropicModel;
  readonly tally: PromptTally;
  readonly cache: CachePrefix | null;
}

const parse = (incoming: IncomingRequest): Fields => {
  let request: unknown;
  try {
    request = JSON.parse(incoming.body.toString('utf8'));
  } catch (error) {
    throw invalid(`The request body is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
  if (!isFields(request)) throw invalid('Input should be a valid dictionary');
  return request;
};

export const readRequest = (incoming: IncomingRequest, isCount: boolean): AnthropicCall => {
  const version = checkVersion(incoming.headers['anthropic-version']?.toString());
  const request = parse(incoming);
  const betas = (incoming.headers['anthropic-beta']?.toString() ?? '').split(',').map((beta) => beta.trim());
  if (typeof request.model !== 'string') throw invalid('model: Field required');
  incoming.record.model = request.model;
  const model = findModel(request.model);
  if (model === undefined) throw refuse(404, 'not_found_error', `model: ${request.model}`);
  checkRequest(request, model, version, isCount);
  const tally = new PromptTally();
  const cache = hasCacheControl(request) ? new CachePrefix(`${incoming.credential}/${model.id}`) : null;
  for (const tool of listOf(request.tools)) cache?.add(fieldsOf(tool), '');
  readSystem(request.system, { tally, cache, betas: [] });
  readMessages(request.messages, model.supportsSystemMessages, { tally, cache, betas });
  if (isFields(request.cache_control)) cache?.markWhole(request.cache_control);
  cache?.check();
  return { request, betas, model, tally, cache };
};
