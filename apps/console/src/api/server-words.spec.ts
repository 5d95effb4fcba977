import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { SERVER_WORDS } from '../locales/server.zh.js';
import { makeTranslator, serverSays, setServerWords } from './server-words.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const SERVERS = [
  'apps/accounts/src',
  'apps/api-edge/src',
  'apps/batch-worker/src',
  'apps/video-worker/src',
  'packages',
];
const SOURCE = /^(?!.*(\.spec|\.d|node_modules|dist)\b).*\.ts$/;
const LEAST_LETTERS = 4;
/** Where a server puts words together. */
const COMPOSED = /\{\}|at most|at least/;

const said = SERVERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => SOURCE.test(file))
    .map((file) => readFileSync(join(root, folder, file), 'utf8')),
);

it.each(Object.keys(SERVER_WORDS.texts))('translates what a server still says: %s', (words) => {
  const parts = words
    .split(COMPOSED)
    .map((part) => part.trim())
    .filter((part) => part.length >= LEAST_LETTERS);
  expect(said.some((source) => parts.every((part) => source.includes(part)))).toBe(true);
});

it('fills every gap of a translation', () => {
  const gaps = (text: string) => text.split('{}').length;
  const more = Object.entries(SERVER_WORDS.texts).filter(([words, text]) => gaps(text) > gaps(words));
  expect(more).toEqual([]);
});

const inChinese = makeTranslator(SERVER_WORDS);

it.each([
  ['The email or the password is wrong.', 'invalid_api_key', '邮箱或密码不正确。'],
  ['password: must have at least 8 characters', 'invalid_request', 'password: 至少需要 8 个字符'],
  ['caps[0].limit: must be above zero', 'invalid_request', 'caps[0].limit: 必须大于零'],
  ['Too many attempts. Try again in 12 minutes.', 'rate_limit_exceeded', '尝试次数过多，请在 12 分钟后重试。'],
  ['There is no such invitation, or it is accepted or revoked.', 'not_found', '没有此邀请，或已被接受或撤回。'],
  ['models[0]: must be a model, but is "$&{}"', 'invalid_request', 'models[0]: 必须是一个模型，而不是 "$&{}"'],
  ['The task was cancelled. Nothing is charged.', 'task_cancelled', '任务已取消，不收费。'],
  ['The custom_id of this line is that of line 2 too.', 'duplicate_custom_id', '此行的 custom_id 与第 2 行相同。'],
  [
    'Moderated. Its upstream bills such videos, so it is charged.',
    'moderated',
    'Moderated.（上游对此类视频计费，因此收费。）',
  ],
  ['Words of another release.', 'not_found', '未找到（Words of another release.）'],
  ['Words of another release.', 'new_code', 'Words of another release.'],
])('says %s in Chinese', (message, code, text) => {
  expect(inChinese({ message, code })).toBe(text);
});

it('translates words that have no code', () => {
  const message = 'The task was cancelled before it began: nothing is charged.';
  expect(inChinese({ message })).toBe('任务在开始前已取消，不收费。');
});

it('leaves the words of the server alone in English', () => {
  const refusal = { message: 'password: must be your current password', code: 'invalid_request' };
  setServerWords(SERVER_WORDS);
  expect(serverSays(refusal)).toBe('password: 必须是您当前的密码');
  setServerWords(undefined);
  expect(serverSays(refusal)).toBe(refusal.message);
});
