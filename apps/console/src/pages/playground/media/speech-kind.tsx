import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { TextArea, TextField } from '../../../parts/field.jsx';
import { Select } from '../../../parts/select.jsx';
import { Skeleton } from '../../../parts/states.jsx';
import { given, jsonRequest } from '../bench/api-request.js';
import { hasEnded } from '../bench/exchange.js';
import type { FormProps, Kind, ReadContext, ResultProps } from '../bench/kind.js';
import { ObjectAudio } from './object-media.jsx';

interface SpeechDraft {
  readonly prompt: string;
  readonly voice: string;
  readonly format: string;
  readonly instructions: string;
}

const Form = ({ draft, change }: FormProps<SpeechDraft>) => {
  const { t } = useLingui();
  return <TextArea label={t`What it says`} value={draft.prompt} onValue={(prompt) => change({ prompt })} />;
};

function Settings({ draft, change, models }: FormProps<SpeechDraft>) {
  const { t } = useLingui();
  const offers = models.map(({ capabilities }) => capabilities.speech);
  const formats = (offers[0]?.formats ?? []).filter((one) => offers.every((offer) => offer?.formats.includes(one)));
  const [usual = ''] = formats;
  return (
    <>
      <TextField
        label={t`Voice`}
        placeholder={offers[0]?.default_voice ?? ''}
        value={draft.voice}
        onValue={(voice) => change({ voice })}
      />
      {formats.length > 1 && (
        <Select
          label={t`Format`}
          value={draft.format === '' ? usual : draft.format}
          onValue={(format) => change({ format })}
          choices={formats.map((value) => ({ value, label: value }))}
          className="w-full"
        />
      )}
      {offers.every((offer) => offer?.instructions) && (
        <TextArea
          label={t`How it speaks`}
          placeholder={t`Calm and slow, like a good night story`}
          value={draft.instructions}
          onValue={(instructions) => change({ instructions })}
        />
      )}
    </>
  );
}

/** The bytes as they come: null before the first. */
async function read({ response, emit }: ReadContext<Blob | null>): Promise<void> {
  const type = response.headers.get('content-type') ?? 'audio/mpeg';
  const reader = response.body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read()) {
    chunks.push(chunk.value);
    if (chunks.length === 1) emit(null);
  }
  emit(new Blob(chunks, { type }));
}

const Result = ({ exchange }: ResultProps<SpeechDraft, Blob | null>) => {
  const { t } = useLingui();
  if (exchange.output === null) return hasEnded(exchange) ? null : <Skeleton rows={1} />;
  return <ObjectAudio bytes={exchange.output} label={t`Speech`} />;
};

/** Text as speech, played in the page. */
export const SPEECH: Kind<SpeechDraft, Blob | null> = {
  isConversation: false,
  first: { prompt: '', voice: '', format: '', instructions: '' },
  examples: [
    msg`Welcome aboard. The next stop is the harbour.`,
    msg`Good evening. Here is what the weather does tomorrow.`,
  ].map((label) => ({ label, fill: (prompt) => ({ prompt }) })),
  isReady: ({ prompt }) => prompt.trim() !== '',
  build: ({ model, draft }) => {
    const offer = model.capabilities.speech;
    const isChoice = (offer?.formats.length ?? 0) > 1 && offer?.formats.includes(draft.format) === true;
    const body = given({
      model: model.id,
      input: draft.prompt,
      voice: draft.voice.trim(),
      response_format: isChoice ? draft.format : undefined,
      instructions: offer?.instructions === true ? draft.instructions.trim() : undefined,
    });
    const format = isChoice ? draft.format : (offer?.formats[0] ?? 'mp3');
    return jsonRequest('/v1/audio/speech', 'audio.speech', body, { file: `speech.${format}` });
  },
  start: null,
  read,
  Form,
  Settings,
  Result,
};
