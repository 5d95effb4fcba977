import type { RedisConnection } from '../connection/connect-redis.js';

/** One call of a script. Integers travel as digits: Lua's numbers are doubles, so it only compares them, below 2^53. */
export interface ScriptCall {
  readonly keys: readonly string[];
  readonly args: readonly (string | Buffer)[];
}

export type Script = (call: ScriptCall) => Promise<unknown>;

/**
 * Registers the script with the connection: sent by its hash, and again in full if Redis has forgotten it. Texts of its
 * reply are strings, or as `bytes` what they are.
 */
export function registerScript(
  redis: RedisConnection,
  name: string,
  lua: string,
  replies: 'strings' | 'bytes' = 'strings',
): Script {
  redis.defineCommand(name, { lua });
  const command = Reflect.get(redis, replies === 'bytes' ? `${name}Buffer` : name) as (
    ...args: (string | number | Buffer)[]
  ) => Promise<unknown>;
  return ({ keys, args }) => command.call(redis, keys.length, ...keys, ...args);
}

/** `now_us(given_ms)`: Redis' own clock in microseconds, unless a time is given. */
export const CLOCK_LUA = `
local function now_us(given_ms)
  if given_ms ~= '' then return tonumber(given_ms) * 1000 end
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end
`;

/** Money that a running request owes must be booked even when Redis is full: these scripts free more than they take. */
export const EVEN_WHEN_FULL = '#!lua flags=allow-oom\n';

export const negated = (amount: bigint): string => (-amount).toString();
