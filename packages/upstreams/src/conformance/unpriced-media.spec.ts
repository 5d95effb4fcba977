import { describe, expect, it } from '@jest/globals';
import { IMAGE_PROTOCOLS, SPEECH_PROTOCOLS } from '../registry.js';
import { smallImageCall } from './image-calls.js';
import { speechCall } from './speech-calls.js';

const speech = (usage: object) => {
  const reader = SPEECH_PROTOCOLS['dashscope-speech'].openReader(
    speechCall('qn3-tts-flash', { text: 'Hi.', voice: 'Cherry' }),
  );
  reader.read(Buffer.from(`data: ${JSON.stringify({ output: { finish_reason: 'stop' }, usage })}\n\n`));
  reader.end();
  return reader.usage();
};

const xaiImage = (usage: object) => {
  const body = Buffer.from(JSON.stringify({ data: [{ url: 'https://imgen.x.ai/a.jpeg' }], usage }));
  return IMAGE_PROTOCOLS['xai-images'].readReply(body, smallImageCall('xai-images') as never);
};

describe('usage of media without a price', () => {
  it('of speech is raised, and tokens of speech are not', () => {
    expect(speech({ characters: 3, output_tokens: 9, cloned_voices: 1 }).unpriced).toEqual(['cloned_voices']);
    expect(speech({ characters: 3, output_tokens: 9 })).not.toHaveProperty('unpriced');
  });

  it("of xAI's images is raised, and their cost is read and not shown", () => {
    const { usage, body, vendorCostNanoUsd } = xaiImage({ cost_in_usd_ticks: 200_000_000, upscales: 2 });
    expect(usage.unpriced).toEqual(['upscales']);
    expect(vendorCostNanoUsd).toBe('20000000');
    expect(JSON.parse(Buffer.from(body).toString('utf8'))).toEqual({
      data: [{ url: 'https://imgen.x.ai/a.jpeg' }],
      usage: { upscales: 2 },
    });
  });
});
