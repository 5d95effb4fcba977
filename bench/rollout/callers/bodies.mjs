import { createPng, encodedForm } from '@gateway/testing';
import { openCalls } from '../customer-clients.mjs';
import { Fault } from '../tally.mjs';
import { idOf, MODELS, messagesOf } from './models.mjs';

/*
 * Requests that are half sent when an instance stops: it has their heads, and their bodies arrive over seconds.
 */

const SOME_TEXT_BYTES = 60_000;
const IMAGE_BYTES = 400_000;

export function slowChat({ baseUrl, apiKey }, { overMs }) {
  const calls = openCalls(baseUrl, apiKey);
  const text = `{{sim words=20}} ${'So much to say now. '.repeat(SOME_TEXT_BYTES / 20)}`;
  const bytes = Buffer.from(
    JSON.stringify({ model: MODELS.chat, messages: messagesOf(text), max_completion_tokens: 200 }),
  );
  return {
    kind: 'slow body',
    async run() {
      const response = await calls.postSlowly('/v1/chat/completions', { bytes, overMs });
      if (JSON.parse(response.text).choices[0]?.finish_reason !== 'stop')
        throw new Fault('wrong', 'incomplete response', idOf(response));
      return idOf(response);
    },
  };
}

/** A slow image upload. */
export function upload({ baseUrl, apiKey }, { overMs }) {
  const calls = openCalls(baseUrl, apiKey);
  return {
    kind: 'upload',
    async run() {
      const form = new FormData();
      form.set('model', MODELS.image);
      form.set('prompt', 'With a kite');
      form.set('quality', 'low');
      const image = Uint8Array.from(createPng({ width: 64, height: 64, bytes: IMAGE_BYTES }));
      form.set('image', new File([image], 'a.png', { type: 'image/png' }));
      const { headers, body } = await encodedForm(form);
      const response = await calls.postSlowly('/v1/images/edits', { bytes: body, overMs, headers });
      if (!JSON.parse(response.text).data[0]?.b64_json) throw new Fault('wrong', 'no image', idOf(response));
      return idOf(response);
    },
  };
}
