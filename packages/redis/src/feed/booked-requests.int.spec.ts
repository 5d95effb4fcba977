import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestRedis } from '../test-support/test-redis.js';
import { BookedRequestsFeed, publishBookedRequests } from './booked-requests.js';

const fail = (error: Error) => {
  throw error;
};

describe('the feed of booked requests', () => {
  let test: TestRedis;
  let feed: BookedRequestsFeed;

  beforeEach(async () => {
    test = await TestRedis.open();
    feed = new BookedRequestsFeed({ url: TestRedis.url, keys: test.keys, onError: fail });
  });

  afterEach(async () => {
    feed.close();
    await test.close();
  });

  const publish = (...ids: readonly string[]) =>
    publishBookedRequests(
      test.redis,
      ids.map((requestId) => ({ requestId, accountId: requestId.slice(0, 1) })),
      test.keys,
    );

  /** Resolves with the first message that is not `null`; the feed follows once it has sent `null`. */
  async function follow(accountId: string) {
    const following = Promise.withResolvers<void>();
    const message = Promise.withResolvers<readonly string[]>();
    const end = feed.follow(accountId, (ids) => (ids === null ? following.resolve() : message.resolve(ids)));
    await following.promise;
    return { message: message.promise, end };
  }

  it('gives each follower the requests of its account only', async () => {
    const first = await follow('a');
    const second = await follow('a');
    const other = await follow('b');
    await publish('a1', 'b1', 'a2');
    expect(await first.message).toEqual(['a1', 'a2']);
    expect(await second.message).toEqual(['a1', 'a2']);
    expect(await other.message).toEqual(['b1']);
  });

  it('ends its subscription with the last follower', async () => {
    const first = await follow('a');
    const second = await follow('a');
    const subscribers = async () =>
      (await test.redis.call('PUBSUB', 'NUMSUB', test.keys.bookedRequests('a'))) as unknown[];
    first.end();
    await publish('a1');
    expect(await second.message).toEqual(['a1']);
    second.end();
    const third = await follow('b');
    expect((await subscribers())[1]).toBe(0);
    third.end();
  });
});
