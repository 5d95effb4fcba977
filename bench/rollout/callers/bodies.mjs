import { createPng, encodedForm } from '@gateway/testing';
import { openCalls } from '../customer-clients.mjs';
import { Fault } from '../tally.mjs';
import { idOf, MODELS, say } from './models.mjs';

/*
 * Requests that are half sent when an instance stops: it has their heads, and their bodies arrive over seconds.
 */

const SOME_TEXT_BYTES = 60_000;
const IMAGE_BYTES = 400_000;

export function slowChat({ baseUrl, apiKey }, { overMs }) {
  const calls = openCalls(baseUrl, apiKey);
  const text = `{{sim words=20}} ${'So much to say now. '.repeat(SOME_TEXT_BYTES / 20)}`;
  const bytes = Buffer.from(JSON.stringify({ model: MODELS.chat, messages: say(text), max_completion_tokens: 200 }));
  return {
    kind: 'slow body',
    async ask() {
      const answer = await calls.postSlowly('/v1/chat/completions', { bytes, overMs });
      if (JSON.parse(answer.text).choices[0]?.finish_reason !== 'stop')
        throw new Fault('wrong', 'no whole answer', idOf(answer));
      return idOf(answer);
    },
  };
}

/** A slow image upload. */
export function upload({ baseUrl, apiKey }, { overMs }) {
  const calls = openCalls(baseUrl, apiKey);
  return {
    kind: 'upload',
    async ask() {
      const form = new FormData();
      form.set('model', MODELS.image);
      form.set('prompt', 'With a kite');
      form.set('quality', 'low');
      const image = Uint8Array.from(createPng({ width: 64, height: 64, bytes: IMAGE_BYTES }));
      form.set('image', new File([image], 'a.png', { type: 'image/png' }));
      const { headers, body } = await encodedForm(form);
      const answer = await calls.postSlowly('/v1/images/edits', { bytes: body, overMs, headers });
      if (!JSON.parse(answer.text).data[0]?.b64_json) throw new Fault('wrong', 'no picture', idOf(answer));
      return idOf(answer);
    },
  };
}
