import type { AccountId, RequestId, TaskId } from '@gateway/contracts';
import type { RedisConnection } from '../connection/connect-redis.js';
import { connectSubscriber } from '../connection/connect-subscriber.js';
import { type RedisKeys, redisKeys } from '../keys.js';

/** A hint that a task changed. It may be lost: Postgres holds the task's state. */
export interface TaskChange {
  readonly taskId: TaskId;
  readonly accountId: AccountId;
  /** A worker has begun it. Of no interest to who waits for its end. */
  readonly isBegun?: boolean;
}

const SEPARATOR = ' ';
const BEGUN = 'begun';

/** A hint that a durable request changed, on the same channel: its id is the subject. */
export const publishRequestChange = (
  redis: RedisConnection,
  { requestId, accountId, isBegun }: RequestChange,
): Promise<void> =>
  publishTaskChange(redis, {
    taskId: requestId as string as TaskId,
    accountId: accountId as AccountId,
    isBegun: isBegun === true,
  });

interface RequestChange extends Pick<TaskChange, 'isBegun'> {
  readonly requestId: RequestId;
  readonly accountId: string;
}

/** Best effort: rejects while Redis is away. Subscribers also poll. */
export async function publishTaskChange(
  redis: RedisConnection,
  { taskId, accountId, isBegun }: TaskChange,
  keys: RedisKeys = redisKeys(),
): Promise<void> {
  await redis.publish(keys.taskChanges, [taskId, accountId, ...(isBegun === true ? [BEGUN] : [])].join(SEPARATOR));
}

/** Sends the end of a request to the edge whose client waits. Best effort: rejects while Redis is away, and the edge also reads the row. */
export async function publishRequestEnd(
  redis: RedisConnection,
  edge: string,
  end: string,
  keys: RedisKeys = redisKeys(),
): Promise<void> {
  await redis.publish(keys.requestEnds(edge), end);
}

export interface TaskChangeSubscriber {
  readonly url: string;
  readonly onChange: (change: TaskChange) => void;
  /** Present for an edge: its name, and what is done with the end of a request whose client waits there. */
  readonly ends?: { readonly edge: string; readonly onEnd: (end: string) => void };
  readonly onError: (error: Error) => void;
  readonly keys?: RedisKeys;
}

export interface TaskChangeSubscription {
  /** Resolves with the first successful subscription. */
  readonly ready: Promise<void>;
  close(): void;
}

/** Subscribes on a separate connection until `close`. Changes published during an outage are lost. */
export function subscribeTaskChanges(subscriber: TaskChangeSubscriber): TaskChangeSubscription {
  const { taskChanges, requestEnds } = subscriber.keys ?? redisKeys();
  const { ends } = subscriber;
  const redis = connectSubscriber(subscriber.url, subscriber.onError);
  redis.on('message', (channel, message) => {
    if (channel !== taskChanges) {
      try {
        ends?.onEnd(message);
      } catch (error) {
        // Of another release. The edge reads the row instead.
        subscriber.onError(error as Error);
      }
      return;
    }
    const [taskId = '', accountId = '', change] = message.split(SEPARATOR);
    subscriber.onChange({
      taskId: taskId as TaskId,
      accountId: accountId as AccountId,
      ...(change === BEGUN && { isBegun: true }),
    });
  });
  const ready = new Promise<void>((resolve) => {
    redis.on('ready', () => {
      redis.subscribe(taskChanges, ...(ends ? [requestEnds(ends.edge)] : [])).then(() => resolve(), subscriber.onError);
    });
  });
  return { ready, close: () => redis.disconnect() };
}
