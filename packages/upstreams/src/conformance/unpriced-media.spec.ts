import { describe, expect, it } from '@jest/globals';
import { IMAGE_PROTOCOLS, SPEECH_PROTOCOLS, VIDEO_PROTOCOLS } from '../registry.js';
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

const readVideo = (id: keyof typeof VIDEO_PROTOCOLS, record: object) =>
  VIDEO_PROTOCOLS[id].readStatus(Buffer.from(JSON.stringify(record)));
const videoUrl = 'https://a.example/v.mp4';

describe('usage of media without a price', () => {
  it('of videos is raised, and what the vendors report today is not', () => {
    const ark = (usage: object) =>
      readVideo('ark-video', { id: 'cgt-1', status: 'succeeded', content: { video_url: videoUrl }, usage });
    expect(ark({ completion_tokens: 9, total_tokens: 9 })).not.toHaveProperty('unpriced');
    expect(ark({ completion_tokens: 9, tool_usage: { web_search: 2 } })).toMatchObject({
      unpriced: ['tool_usage.web_search'],
    });
    const dashScope = (usage: object) =>
      readVideo('dashscope-video', { output: { task_id: 't', task_status: 'SUCCEEDED', video_url: videoUrl }, usage });
    const today = { duration: 9, input_video_duration: 4, output_video_duration: 5, video_count: 1, SR: 720, fps: 30 };
    expect(dashScope({ ...today, ratio: '16:9' })).not.toHaveProperty('unpriced');
    expect(dashScope({ ...today, upscaled_seconds: 5 })).toMatchObject({ unpriced: ['upscaled_seconds'] });
  });

  it('of speech is raised, and tokens of speech are not', () => {
    expect(speech({ characters: 3, output_tokens: 9, cloned_voices: 1 }).unpriced).toEqual(['cloned_voices']);
    expect(speech({ characters: 3, output_tokens: 9 })).not.toHaveProperty('unpriced');
  });

  it("of xAI's images is raised, and their cost is read and not shown", () => {
    const { usage, body, vendorCostNanoUsd } = xaiImage({ cost_in_usd_ticks: 200_000_000, upscales: 2 });
    expect(usage.unpriced).toEqual(['upscales']);
    expect(vendorCostNanoUsd).toBe('20000000');
    expect(JSON.parse(Buffer.from(body).toString('utf8'))).toEqual({
      created: 1_795_168_800,
      data: [{ url: 'https://imgen.x.ai/a.jpeg' }],
      usage: {
        upscales: 2,
        ...{ input_tokens: 0, output_tokens: 0, total_tokens: 0 },
        input_tokens_details: { text_tokens: 0, image_tokens: 0 },
      },
    });
  });
});
