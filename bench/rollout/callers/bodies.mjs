import { createPng, encodedForm } from '@gateway/testing';
import { openCalls } from '../customer-clients.mjs';
import { Fault } from '../tally.mjs';
import { idOf, MODELS, say } from './models.mjs';

/*
 * Requests that are half sent when a copy is told to go: it has their heads, and their bodies come in over seconds.
 */

const SOME_TEXT_BYTES = 60_000;
const PICTURE_BYTES = 400_000;

export function slowChat({ baseUrl, apiKey }, { overMs }) {
  const calls = openCalls(baseUrl, apiKey);
  const text = `{{sim words=20}} ${'So much to tell. '.repeat(SOME_TEXT_BYTES / 17)}`;
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

/** A picture on its way up. */
export function upload({ baseUrl, apiKey }, { overMs }) {
  const calls = openCalls(baseUrl, apiKey);
  return {
    kind: 'upload',
    async ask() {
      const form = new FormData();
      form.set('model', MODELS.image);
      form.set('prompt', 'With a kite');
      form.set('quality', 'low');
      const picture = Uint8Array.from(createPng({ width: 64, height: 64, bytes: PICTURE_BYTES }));
      form.set('image', new File([picture], 'a.png', { type: 'image/png' }));
      const { headers, body } = await encodedForm(form);
      const answer = await calls.postSlowly('/v1/images/edits', { bytes: body, overMs, headers });
      if (!JSON.parse(answer.text).data[0]?.b64_json) throw new Fault('wrong', 'no picture', idOf(answer));
      return idOf(answer);
    },
  };
}
