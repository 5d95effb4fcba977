import type { RedisConnection } from '../connection/connect-redis.js';
import { loadScript } from './load-script.js';

/** One call of a script. Integers travel as digits: Lua's numbers are doubles and only exact below 2^53. */
export interface ScriptCall {
  readonly keys: readonly string[];
  readonly args: readonly (string | Buffer)[];
}

export type Script = (call: ScriptCall) => Promise<unknown>;

/**
 * Registers `scripts/<path>.lua` with the connection, which sends its hash, and the text again if Redis has forgotten it.
 * A reply's texts are strings, or Buffers with `bytes`.
 */
export function registerScript(redis: RedisConnection, path: string, replies: 'strings' | 'bytes' = 'strings'): Script {
  const name = `gateway:${path}`;
  redis.defineCommand(name, { lua: loadScript(path) });
  const command = Reflect.get(redis, replies === 'bytes' ? `${name}Buffer` : name) as (
    ...args: (string | number | Buffer)[]
  ) => Promise<unknown>;
  return ({ keys, args }) => command.call(redis, keys.length, ...keys, ...args);
}

/** What `jsonArgs` carries: text and digits, never numbers, so that Lua cannot round them. */
type NamedArgs = Readonly<Record<string, string | readonly (string | Readonly<Record<string, string>>)[]>>;

/** A script's named values as its one JSON argument. */
export const jsonArgs = (args: NamedArgs): string => JSON.stringify(args);

/** The `givenMs` of scripts that read a clock: '' makes them use Redis' own. */
export const clockOf = (nowMs: (() => number) | undefined): (() => string) =>
  nowMs === undefined ? () => '' : () => nowMs().toString();

export const negated = (amount: bigint): string => (-amount).toString();
