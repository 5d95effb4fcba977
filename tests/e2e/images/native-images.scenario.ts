import { startTestStack } from '@gateway/testing';
import { type GenerateContentResponse, GoogleGenAI } from '@google/genai';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { PIXEL_PNG } from '../support/samples.js';
import { shareDispatcher } from '../support/share-dispatcher.js';
import { ImageRequests, imageIn } from './image-requests.js';

shareDispatcher();

const stack = await startTestStack();
afterAll(() => stack.stop());
const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const imageRequests = await ImageRequests.open(stack, customer);
const client = new GoogleGenAI({ apiKey: customer.apiKey, httpOptions: { baseUrl: stack.baseUrl } });

const FLASH = 'gm-3.1-flash-image-preview';
const config = { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '16:9', imageSize: '2K' } };

const imageOf = ({ candidates = [] }: GenerateContentResponse) =>
  imageIn(candidates[0]?.content?.parts?.find(({ inlineData }) => inlineData !== undefined)?.inlineData?.data);

describe("Google's client with an image model", () => {
  it.each([FLASH, 'gm-3-pro-image-preview', 'gm-2.5-flash-image'])(
    'makes an image by %s, billed by its tokens',
    async (model) => {
      const money = await imageRequests.moneyOf(async () => {
        const response = await client.models.generateContent({ model, contents: 'A red kite' });
        expect(imageOf(response)).toMatchObject({ type: 'jpeg' });
        expect(response.modelVersion).toBe(model);
        expect(response.usageMetadata?.totalTokenCount).toBeGreaterThan(1_000);
      });
      imageRequests.expectExact(model, money);
    },
  );

  it('edits an image, streams, chats and counts', async () => {
    const inlineData = { mimeType: 'image/png', data: PIXEL_PNG.split(',')[1] ?? '' };
    const contents = [{ inlineData }, { text: 'Make it night' }];
    const edited = await client.models.generateContent({ model: FLASH, contents, config });
    const { width, height } = imageOf(edited);
    expect(width / height).toBeCloseTo(16 / 9, 1);
    expect(edited.usageMetadata?.candidatesTokensDetails).toContainEqual({ modality: 'IMAGE', tokenCount: 1_680 });
    const chunks: GenerateContentResponse[] = [];
    for await (const chunk of await client.models.generateContentStream({ model: FLASH, contents, config })) {
      chunks.push(chunk);
    }
    expect(chunks.map((chunk) => imageOf(chunk).type)).toEqual(['jpeg']);
    const chat = client.chats.create({ model: FLASH });
    await chat.sendMessage({ message: 'A boat' });
    const money = await imageRequests.moneyOf(() => chat.sendMessage({ message: 'in red' }));
    expect(money.settlements[0]?.units.input_image_token).toBeGreaterThan(0);
    const { totalTokens } = await client.models.countTokens({ model: FLASH, contents: 'A boat' });
    expect(totalTokens).toBeGreaterThan(0);
  });

  it('learns of a blocked image, which is free, and of fields by their own names', async () => {
    const money = await imageRequests.moneyOf(async () => {
      const blocked = await client.models.generateContent({ model: FLASH, contents: '{{sim blocked}}' });
      expect(blocked.candidates?.[0]).toMatchObject({ finishReason: 'IMAGE_SAFETY' });
    });
    expect(money.settlements.map(({ chargedNanoUsd }) => chargedNanoUsd)).toEqual([0n]);
    const refused = client.models.generateContent({ model: 'gm-2.5-flash-image', contents: 'x', config });
    await expect(refused).rejects.toThrow('generationConfig.imageConfig.imageSize');
  });
});

it('keeps the ledger consistent', async () => {
  await waitUntilSettled(stack, [customer]);
  await expectConsistentLedger(stack, [customer]);
});
