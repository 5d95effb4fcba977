import type { NewImageResult } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import type { OpenedResponse, StreamResponse } from '../opened-response.js';
import { FakeReader, fakeLogger, streamOf, ticketOf, usageOf } from '../test-support/fakes.js';
import { NameImages } from './name-images.service.js';

const TICKET = { endpoint: 'images.generations', requestId: 'req_7' } as const;
const LIST = '{"created":1,"data":[{"url":"https://vendor/1"},{"url":"https://vendor/2"},{"b64_json":"aGk="}]}';

interface World {
  readonly addImages?: () => Promise<void>;
  readonly keepsNone?: true;
}

function naming({ addImages, keepsNone }: World = {}) {
  const added: NewImageResult[] = [];
  const outcomes: string[] = [];
  const rows = {
    addImages: async (images: readonly NewImageResult[]) => {
      await addImages?.();
      added.push(...images);
    },
  };
  const linkOf = (fileId: string) => ({ object: 'file.link' as const, url: `https://us/${fileId}`, expires_at: 1 });
  const metrics = {
    namedImages: {
      inc: ({ outcome }: { outcome: string }, count = 1) => outcomes.push(...Array(count).fill(outcome)),
    },
  };
  const { logger } = fakeLogger();
  const service = new NameImages(keepsNone ? undefined : { rows, linkOf }, metrics as never, logger);
  return { service, added, outcomes };
}

const whole = (text: string): OpenedResponse => ({
  kind: 'unary',
  body: Buffer.from(text),
  usage: usageOf({ image: 2 }),
  upstreamId: undefined,
});
const textOf = (opened: OpenedResponse): string =>
  opened.kind === 'unary' ? Buffer.from(opened.body).toString() : Buffer.from(opened.firstBytes).toString();

describe('a response with addresses of images', () => {
  it("gets the gateway's addresses, with a row for each image", async () => {
    const { service, added, outcomes } = naming();
    const { data } = JSON.parse(textOf(await service.name(ticketOf(TICKET), whole(LIST))));
    expect(added).toMatchObject([
      { taskId: 'req_7', part: 'image_0', sourceUrl: 'https://vendor/1', accountId: 'acct_a', keyId: 'key_1' },
      { taskId: 'req_7', part: 'image_1', sourceUrl: 'https://vendor/2' },
    ]);
    const urls = added.map(({ fileId }) => ({ url: `https://us/${fileId}` }));
    expect(data).toEqual([...urls, { b64_json: 'aGk=' }]);
    expect(outcomes).toEqual(['named', 'named']);
  });

  it("keeps the vendor's addresses if their rows cannot be added", async () => {
    const { service, outcomes } = naming({ addImages: () => Promise.reject(new Error('away')) });
    expect(textOf(await service.name(ticketOf(TICKET), whole(LIST)))).toBe(LIST);
    expect(outcomes).toEqual(['vendor_address']);
  });

  it.each([
    ['of a deployment that keeps nothing', { keepsNone: true } as const, {}],
    ['of a test key', {}, { isTest: true as const }],
    ['of another endpoint', {}, { endpoint: 'chat.completions' }],
  ] as const)('stays as it is: %s', async (_what, world, ticket) => {
    const { service, added } = naming(world);
    const opened = whole(LIST);
    expect(await service.name(ticketOf({ ...TICKET, ...ticket }), opened)).toBe(opened);
    expect(added).toEqual([]);
  });

  it('stays as it is without an address, and if it is no JSON', async () => {
    const { service, added } = naming();
    const body = '{"data":[{"b64_json":"aGk="}]}';
    expect(textOf(await service.name(ticketOf(TICKET), whole(body)))).toBe(body);
    expect(textOf(await service.name(ticketOf(TICKET), whole('no json')))).toBe('no json');
    expect(added).toEqual([]);
  });
});

describe('a stream of images', () => {
  it('has the gateway name each image as it comes, and is metered by its own reader', async () => {
    const { service, added } = naming();
    const event = (url: string): string => `data: {"url":"${url}"}\n\n`;
    const reader = new FakeReader();
    reader.used = usageOf({ image: 2 });
    const { response, calls } = streamOf(reader, event('https://vendor/1'), [event('https://vendor/2')]);
    const named = (await service.name(ticketOf(TICKET), response)) as StreamResponse;
    expect(textOf(named)).toBe(event(`https://us/${added[0]?.fileId}`));
    const { value } = await named.remaining.next();
    expect(Buffer.from(named.reader.read(value as Buffer)).toString()).toBe(event(`https://us/${added[1]?.fileId}`));
    expect(added.map(({ part }) => part)).toEqual(['image_0', 'image_1']);
    expect((await named.remaining.next()).done).toBe(true);
    expect([named.reader.usage(), named.reader.isFinal]).toEqual([reader.used, reader.isFinal]);
    expect([Buffer.from(named.reader.end()).toString(), calls]).toEqual(['[DONE]', ['closed']]);
  });

  it('closes its upstream, also before its first chunk is read', async () => {
    let isClosed = false;
    const { response } = streamOf(new FakeReader(), 'data: {}');
    const remaining: AsyncIterator<Buffer> = {
      next: async () => ({ done: true, value: undefined }),
      return: async () => {
        isClosed = true;
        return { done: true, value: undefined };
      },
    };
    const named = (await naming().service.name(ticketOf(TICKET), { ...response, remaining })) as StreamResponse;
    await named.remaining.return?.();
    expect(isClosed).toBe(true);
  });
});
