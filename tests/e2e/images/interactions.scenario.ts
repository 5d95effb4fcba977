import type { InteractionResponse } from '@gateway/contracts';
import { startTestStack } from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { PIXEL_PNG } from '../support/samples.js';
import { ImageRequests, imageIn } from './image-requests.js';

interface Brief {
  readonly error: { readonly message: string; readonly code: string };
}

type Output = { readonly content: readonly { readonly type: string; readonly data?: string }[] };

const FLASH = 'gm-3.1-flash-image-preview';
const PRO = 'gm-3-pro-image-preview';
const CREDENTIALS = ['one', 'two', 'three', 'four', 'five', 'six'];

const stack = await startTestStack({ services: ['upstream-simulator', 'billing', 'accounts', 'api-edge'] });
afterAll(() => stack.stop());
afterEach(() => stack.simulator.clearFaults());
/** Several credentials: an interaction must reach the one that created it. */
const gemini = { GEMINI_API_KEY: CREDENTIALS.join(','), GEMINI_BASE_URL: `${stack.system.simulatorUrl}/gemini` };
await stack.system.add('sync-worker', gemini);

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const stranger = await stack.createCustomer({ creditUsd: '10' });
const imageRequests = await ImageRequests.open(stack, customer);

async function interact(body: object): Promise<InteractionResponse> {
  const response = await imageRequests.post({ model: FLASH, ...body });
  expect({ status: response.status, text: response.status === 200 ? '' : response.text }).toEqual({
    status: 200,
    text: '',
  });
  return response.json<InteractionResponse>();
}

const imageOf = ({ steps }: InteractionResponse) => {
  const output = steps.find(({ type }) => type === 'model_output') as unknown as Output;
  return imageIn(output.content.find(({ type }) => type === 'image')?.data);
};

describe('an interaction', () => {
  it.each([FLASH, PRO, 'gm-2.5-flash-image', 'gm-2.5-flash-image-preview'])(
    'of %s returns an image of 1K and 1:1 and charges tokens by modality',
    async (model) => {
      const money = await imageRequests.moneyOf(async () => {
        const response = await interact({ model, input: 'A red kite' });
        expect(response).toMatchObject({ id: expect.stringMatching(/^v1_/), status: 'completed', model });
        expect(imageOf(response)).toEqual({ type: 'jpeg', width: 1024, height: 1024 });
      });
      const units = money.settlements[0]?.units;
      expect(units?.output_image_token).toBe(model.startsWith('gm-2.5') ? 1_290 : 1_120);
      expect(units?.input_token).toBe(3);
      expect(units?.output_token ?? 0).toBe(model === PRO ? 26 : model === FLASH ? 16 : 0);
      imageRequests.expectExact(model, money);
    },
  );

  it('accepts every size and ratio of its model', async () => {
    for (const [image_size, side] of [
      ['512px', 512],
      ['1K', 1024],
      ['2K', 2048],
      ['4K', 4096],
    ] as const) {
      const response = await interact({
        input: 'x',
        response_format: { type: 'image', image_size, aspect_ratio: '1:1' },
      });
      expect(imageOf(response)).toEqual({ type: 'jpeg', width: side, height: side });
    }
    for (const aspect_ratio of ['16:9', '9:16', '3:2', '2:3', '4:3', '3:4', '5:4', '4:5', '1:4', '4:1', '1:8', '8:1']) {
      const response = await interact({ input: 'x', response_format: { type: 'image', aspect_ratio } });
      const [across = 1, down = 1] = aspect_ratio.split(':').map(Number);
      const { width, height } = imageOf(response);
      expect(width / height / (across / down)).toBeCloseTo(1, 1);
    }
  });

  it('reaches the upstream in its own format, without tools that search the web', async () => {
    const data = PIXEL_PNG.split(',')[1] ?? '';
    const body = {
      input: [
        { type: 'text', text: 'Make it night' },
        { type: 'image', mime_type: 'image/png', data },
      ],
      system_instruction: 'Be bold',
      response_format: { type: 'image', mime_type: 'image/jpeg', image_size: '512px' },
      generation_config: { thinking_level: 'high', temperature: 2 },
      store: false,
    };
    const money = await imageRequests.moneyOf(async () => {
      const response = await interact({ ...body, tools: [{ type: 'google_search' }, { type: 'url_context' }] });
      expect(response.steps.map(({ type }) => type)).toEqual(['thought', 'model_output']);
    });
    expect(await imageRequests.lastReceived()).toEqual({
      ...body,
      model: 'gemini-3.1-flash-image',
      response_format: { ...body.response_format, image_size: '512' },
      // The image of that size beside the most thoughts of that level.
      generation_config: { ...body.generation_config, max_output_tokens: 12_288 + 747 },
      tools: [{ type: 'url_context' }],
    });
    expect(money.settlements[0]?.units).toEqual({
      input_token: 6,
      input_image_token: 258,
      output_token: 107,
      output_image_token: 747,
    });
    imageRequests.expectExact(FLASH, money);
    await interact({ input: 'x', tools: [{ type: 'google_search' }] });
    expect(await imageRequests.lastReceived()).not.toHaveProperty('tools');
  });

  it('returns 200 with status failed and no steps for free if moderation blocks it', async () => {
    const money = await imageRequests.moneyOf(async () => {
      expect(await interact({ input: '{{sim blocked}} something bad' })).toMatchObject({ status: 'failed', steps: [] });
    });
    expect(money.settlements).toMatchObject([{ costNanoUsd: 0n, units: {} }]);
  });

  it('without usage is charged an estimate', async () => {
    const money = await imageRequests.moneyOf(() =>
      interact({ input: '{{sim no_usage}}', model: 'gm-2.5-flash-image' }),
    );
    expect(money.settlements).toMatchObject([{ isEstimated: true, units: { output_image_token: 1_290 } }]);
  });
});

describe('a conversation', () => {
  it('continues on its own credential under concurrent requests', async () => {
    for (let round = 0; round < 6; round += 1) {
      const since = await stack.simulator.lastSeq();
      const first = await interact({ input: `A house, ${round}` });
      await Promise.all([interact({ input: 'Something else' }), interact({ input: 'And more' })]);
      const second = await interact({ input: 'Add a moon', previous_interaction_id: first.id });
      const third = await interact({ input: 'And stars', previous_interaction_id: second.id });
      expect(new Set([first.id, second.id, third.id]).size).toBe(3);
      const calls = await stack.simulator.closedJournal(since);
      const [began, , , moon, stars] = calls.map(({ credential }) => credential);
      expect([moon, stars]).toEqual([began, began]);
    }
  });

  it('shows public ids only', async () => {
    const since = await stack.simulator.lastSeq();
    const first = await interact({ input: 'A house' });
    const response = await imageRequests.post({ model: FLASH, input: 'Add a moon', previous_interaction_id: first.id });
    expect(response.json<{ previous_interaction_id: string }>().previous_interaction_id).toBe(first.id);
    for (const { upstream_id } of await stack.simulator.closedJournal(since)) {
      expect(response.text).not.toContain(String(upstream_id));
      expect(first.id).not.toBe(upstream_id);
    }
  });

  it('can be continued by its own account only', async () => {
    const { id } = await interact({ input: 'A secret house' });
    const forged = id.slice(0, -3) + (id.endsWith('AAA') ? 'BBB' : 'AAA');
    const money = await imageRequests.moneyOf(async () => {
      for (const [key, previous] of [
        [stranger.apiKey, id],
        [customer.apiKey, forged],
        [customer.apiKey, 'v1_ChdTbXNIRXhhbXBsZTAwMDAwMDAxEgRleDAx'],
      ] as const) {
        const response = await imageRequests.post({ model: FLASH, input: 'x', previous_interaction_id: previous }, key);
        expect(response.status).toBe(404);
        expect(response.json<Brief>().error).toMatchObject({ code: 'not_found', type: 'invalid_request_error' });
      }
    });
    expect(money.calls).toEqual([]);
    expect(money.settlements.map(({ costNanoUsd }) => costNanoUsd)).toEqual([0n, 0n]);
  });

  it("that the upstream has deleted returns the upstream's 404 in the client's format", async () => {
    const { id } = await interact({ input: 'x', store: false });
    const response = await imageRequests.post({ model: FLASH, input: 'x', previous_interaction_id: id });
    expect(response.status).toBe(404);
    expect(response.json<Brief>().error.message).toBe(`Interaction ${id} not found.`);
  });

  it('does not wait for another credential when its own is unhealthy', async () => {
    const { id } = await interact({ input: 'x' });
    await stack.simulator.fault({ vendor: 'gemini', status: 503 });
    const response = await imageRequests.post({ model: FLASH, input: 'x', previous_interaction_id: id });
    expect(response.status).toBe(503);
    expect(response.json<Brief>().error.message).not.toBe('');
  });
});

describe('a rejected interaction', () => {
  it.each([
    ['a size of another model', { model: PRO, response_format: { type: 'image', image_size: '512px' } }],
    ['a ratio of another model', { model: PRO, response_format: { type: 'image', aspect_ratio: '1:8' } }],
    [
      'an unsupported level of reasoning',
      { model: 'gm-2.5-flash-image', generation_config: { thinking_level: 'high' } },
    ],
    ['an unsupported temperature', { generation_config: { temperature: 2.1 } }],
    ['an empty input', { input: [] }],
    ['an unsupported stream', { stream: true }],
  ])('for %s is brief and free', async (_what, more) => {
    const money = await imageRequests.moneyOf(async () => {
      const response = await imageRequests.post({ model: FLASH, input: 'x', ...more });
      expect(response.status).toBe(400);
      expect(Object.keys(response.json<object>())).toEqual(['error']);
      expect(Object.keys(response.json<Brief>().error).sort()).toEqual(['code', 'message', 'type']);
    });
    expect(money).toEqual({ calls: [], settlements: [] });
  });
});

it('leaves a consistent ledger', async () => {
  await waitUntilSettled(stack, [customer, stranger]);
  await expectConsistentLedger(stack, [customer, stranger]);
});
