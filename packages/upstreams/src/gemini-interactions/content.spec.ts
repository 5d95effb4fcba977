import { type GenerateContentRequest, generateContentRequest } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { contentOfInteraction } from './content-reply.js';
import { interactionOfContents } from './content-request.js';

const MODEL = 'gm-3-pro-image-preview';
const read = (body: object): GenerateContentRequest => generateContentRequest.parse(body);
const toInteraction = (body: object) => interactionOfContents(read(body), MODEL);
const hello = [{ role: 'user', parts: [{ text: 'A boat' }] }];

describe('a native request to an image model', () => {
  it('becomes an interaction of all turns, of which nothing is stored', () => {
    const contents = [
      ...hello,
      {
        role: 'model',
        parts: [{ text: 'hm', thought: true }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
      },
      { role: 'user', parts: [{ text: 'in red' }] },
    ];
    const generationConfig = {
      responseModalities: ['Text', 'IMAGE'],
      imageConfig: { aspectRatio: '16:9', imageSize: '512' },
      thinkingConfig: { thinkingLevel: 'HIGH' },
      maxOutputTokens: 2_000,
    };
    expect(toInteraction({ contents, systemInstruction: { parts: [{ text: 'Oil' }] }, generationConfig })).toEqual({
      model: MODEL,
      input: [
        { type: 'text', text: 'A boat' },
        { type: 'image', mime_type: 'image/png', data: 'AAAA' },
        { type: 'text', text: 'in red' },
      ],
      system_instruction: 'Oil',
      response_format: { type: 'image', image_size: '512px', aspect_ratio: '16:9' },
      generation_config: { max_output_tokens: 2_000, thinking_level: 'high' },
      store: false,
    });
  });

  it('leaves the shape to the vendor, so that an edit keeps that of its image', () => {
    expect(toInteraction({ contents: hello }).response_format).toEqual({ type: 'image', image_size: '1K' });
  });

  it('may have base64 in the alphabet of URLs, which the client for Python writes', () => {
    const part = { inline_data: { mime_type: 'image/png', data: '-_8=' } };
    expect(toInteraction({ contents: [{ parts: [part] }] }).input).toEqual([
      { type: 'image', mime_type: 'image/png', data: '+/8=' },
    ]);
  });

  it.each([
    ['text alone', { contents: hello, generationConfig: { responseModalities: ['TEXT'] } }, 'responseModalities'],
    ['sound', { contents: hello, generationConfig: { responseModalities: ['IMAGE', 'AUDIO'] } }, 'responseModalities'],
    ['a level', { contents: hello, generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' } } }, 'thinkingLevel'],
    ['nothing', { contents: [{ parts: [{ text: '' }] }] }, 'contents'],
    ['a film', { contents: [{ parts: [{ inlineData: { mimeType: 'video/mp4', data: 'AA' } }] }] }, 'contents'],
  ])('is refused for %s', (_what, body, param) => {
    const details = { param: expect.stringContaining(param) };
    expect(() => toInteraction(body)).toThrow(
      expect.objectContaining({ row: expect.objectContaining({ status: 400 }), details }),
    );
  });
});

describe('the reply of an interaction', () => {
  const units = { input_token: 5, input_image_token: 258, output_token: 30, output_image_token: 1_120 };
  const usage = { units, inputTokensTotal: 263, isEstimated: false };
  const answerOf = (interaction: object, billed = usage): unknown => {
    const reply = { body: Buffer.from(JSON.stringify(interaction)), usage: billed, upstreamId: 'v1_x' };
    const answer = contentOfInteraction(reply, { publicModel: MODEL, requestId: 'req_1' });
    expect(answer).toMatchObject({ usage: billed, upstreamId: 'v1_x' });
    return JSON.parse(Buffer.from(answer.body).toString());
  };

  it('becomes a candidate with the counts that are billed', () => {
    const content = [
      { type: 'text', text: 'Here' },
      { type: 'image', mime_type: 'image/jpeg', data: 'AAAA' },
    ];
    const steps = [
      { type: 'thought', signature: 's' },
      { type: 'model_output', content },
    ];
    expect(answerOf({ id: 'v1_x', status: 'completed', steps, usage: { total_thought_tokens: 16 } })).toEqual({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ text: 'Here' }, { inlineData: { mimeType: 'image/jpeg', data: 'AAAA' } }],
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: 263,
        candidatesTokenCount: 1_134,
        totalTokenCount: 1_413,
        thoughtsTokenCount: 16,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 5 },
          { modality: 'IMAGE', tokenCount: 258 },
        ],
        candidatesTokensDetails: [
          { modality: 'TEXT', tokenCount: 14 },
          { modality: 'IMAGE', tokenCount: 1_120 },
        ],
      },
      modelVersion: MODEL,
      responseId: 'req_1',
    });
  });

  it.each([
    ['IMAGE_SAFETY', { status: 'failed', steps: [], errors: [{ code: 'blocked_by_safety' }] }],
    ['IMAGE_OTHER', { status: 'failed', steps: [] }],
    ['MAX_TOKENS', { status: 'incomplete', steps: [] }],
  ])('says %s where no image came', (finishReason, interaction) => {
    expect(answerOf(interaction)).toMatchObject({ candidates: [{ finishReason, index: 0 }] });
  });
});
