import type OpenAI from 'openai';

export const CITY = 'Lisbon';

export const weatherTool: OpenAI.Chat.ChatCompletionFunctionTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
      required: ['city', 'days'],
      additionalProperties: false,
    },
  },
};

/** One red pixel. */
export const PIXEL_PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** A WAV header and eight samples of silence, base64 without a data URI. */
export const TONE_WAV = Buffer.concat([
  Buffer.from('RIFF'),
  Buffer.from([0x2c, 0, 0, 0]),
  Buffer.from('WAVEfmt '),
  Buffer.from([16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0]),
  Buffer.from('data'),
  Buffer.from([8, 0, 0, 0, 128, 128, 128, 128, 128, 128, 128, 128]),
]).toString('base64');

/** One line of a batch file. */
export const BATCH_LINE = `${JSON.stringify({
  custom_id: 'first',
  method: 'POST',
  url: '/v1/chat/completions',
  body: { model: 'gm-2.5-flash', messages: [{ role: 'user', content: 'Say hello' }] },
})}\n`;
