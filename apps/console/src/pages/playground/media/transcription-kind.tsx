import { Trans, useLingui } from '@lingui/react/macro';
import { TextField } from '../../../parts/field.jsx';
import { Skeleton } from '../../../parts/states.jsx';
import { type ApiRequest, type FormPart, given } from '../bench/api-request.js';
import { hasEnded } from '../bench/exchange.js';
import { FileButton } from '../bench/file-button.jsx';
import { fieldsOf, textOf } from '../bench/json.js';
import type { BuildContext, FormProps, Kind, ResultProps } from '../bench/kind.js';
import { base64Of } from '../bench/read-file.js';
import { readJson } from '../bench/read-json.js';

interface TranscriptionDraft {
  readonly file: File | null;
  /** For the quote, which counts the length of the recording. */
  readonly base64: string;
  readonly language: string;
}

function Form({ draft, change }: FormProps<TranscriptionDraft>) {
  const { t } = useLingui();
  const choose = async ([file]: readonly File[]) => {
    if (file !== undefined) change({ file, base64: await base64Of(file) });
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <FileButton label={t`Choose a recording`} accept="audio/*" onFiles={(files) => void choose(files)} />
      <span className="truncate text-muted">
        {draft.file?.name ?? <Trans>MP3, WAV and what else the model takes.</Trans>}
      </span>
    </div>
  );
}

const Settings = ({ draft, change }: FormProps<TranscriptionDraft>) => {
  const { t } = useLingui();
  return (
    <TextField
      label={t`Language of the recording`}
      hint={t`A code such as en. Empty: the model finds it.`}
      value={draft.language}
      onValue={(language) => change({ language: language.trim() })}
    />
  );
};

const Result = ({ exchange }: ResultProps<TranscriptionDraft, string>) => {
  const { t } = useLingui();
  if (exchange.output === '') return hasEnded(exchange) ? null : <Skeleton rows={3} />;
  return (
    <section aria-label={t`Transcript`} className="max-w-prose whitespace-pre-wrap break-words">
      {exchange.output}
    </section>
  );
};

function build({ model, draft }: BuildContext<TranscriptionDraft, string>): ApiRequest {
  const { file, base64, language } = draft;
  const texts = given({ model: model.id, language });
  const recording: readonly FormPart[] =
    file === null ? [] : [['file', { file: file.name, type: file.type, bytes: file }]];
  const form = [...Object.entries(texts).map(([name, value]): FormPart => [name, String(value)]), ...recording];
  const quote = { endpoint: 'audio.transcriptions', body: { ...texts, file: base64 } };
  return { method: 'POST', path: '/v1/audio/transcriptions', body: { form }, answer: 'json', quote };
}

/** A recording as text. */
export const TRANSCRIPTION: Kind<TranscriptionDraft, string> = {
  isConversation: false,
  first: { file: null, base64: '', language: '' },
  isReady: ({ file }) => file !== null,
  build,
  start: '',
  read: readJson((answer) => textOf(fieldsOf(answer).text)),
  Form,
  Settings,
  Result,
};
