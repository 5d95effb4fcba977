import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { TextArea, TextField } from '../../../parts/field.jsx';
import { Facts } from '../../../parts/page.jsx';
import { Skeleton } from '../../../parts/states.jsx';
import { given, jsonRequest } from '../bench/api-request.js';
import { hasEnded } from '../bench/exchange.js';
import { fieldsOf, listOf } from '../bench/json.js';
import type { FormProps, Kind, ResultProps } from '../bench/kind.js';
import { readJson } from '../bench/read-json.js';
import { cosine } from './similarity.js';

interface EmbeddingsDraft {
  readonly one: string;
  readonly other: string;
  readonly dimensions: string;
}

type Vectors = readonly (readonly number[])[];

const SHOWN_NUMBERS = 6;

const Form = ({ draft, change }: FormProps<EmbeddingsDraft>) => {
  const { t } = useLingui();
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <TextArea label={t`One text`} value={draft.one} onValue={(one) => change({ one })} />
      <TextArea label={t`Another text, to compare`} value={draft.other} onValue={(other) => change({ other })} />
    </div>
  );
};

function Settings({ draft, change, models }: FormProps<EmbeddingsDraft>) {
  const { t } = useLingui();
  const offer = models[0]?.capabilities.embeddings;
  const lengths = offer?.dimensions;
  const hint = lengths === undefined ? '' : 'min' in lengths ? t`${lengths.min} to ${lengths.max}` : lengths.join(', ');
  return (
    <TextField
      label={t`Length of the vectors`}
      hint={hint}
      inputMode="numeric"
      placeholder={String(offer?.default_dimensions ?? '')}
      value={draft.dimensions}
      onValue={(dimensions) => change({ dimensions: dimensions.replace(/\D/g, '') })}
    />
  );
}

const start = (vector: readonly number[]) =>
  `[${vector
    .slice(0, SHOWN_NUMBERS)
    .map((value) => value.toFixed(4))
    .join(', ')}, …]`;

function Result({ exchange }: ResultProps<EmbeddingsDraft, Vectors>) {
  const { t } = useLingui();
  const [one, other] = exchange.output;
  if (one === undefined) return hasEnded(exchange) ? null : <Skeleton rows={2} />;
  return (
    <div className="flex flex-col gap-4">
      {other !== undefined && (
        <p className="flex items-baseline gap-3">
          <span className="figures font-semibold text-figure">{cosine(one, other).toFixed(4)}</span>
          <span className="text-muted">
            <Trans>similarity: the cosine of the two vectors, 1 is the same</Trans>
          </span>
        </p>
      )}
      <Facts
        rows={exchange.output.map((vector, index) => [
          t`Text ${index + 1}`,
          <span key="vector" className="break-words font-mono text-small">
            <Trans>{vector.length} numbers</Trans> {start(vector)}
          </span>,
        ])}
      />
    </div>
  );
}

const vectorsOf = (answer: unknown): Vectors =>
  listOf(fieldsOf(answer).data).map((entry) => listOf(fieldsOf(entry).embedding).map(Number));

/** Vectors of one or two texts. */
export const EMBEDDINGS: Kind<EmbeddingsDraft, Vectors> = {
  isConversation: false,
  first: { one: '', other: '', dimensions: '' },
  examples: [
    msg`A cat sleeps on the sofa / A kitten naps on the couch`,
    msg`The balance is prepaid / The moon has no air`,
  ].map((label) => ({
    label,
    fill: (words) => {
      const [one = '', other = ''] = words.split(' / ');
      return { one, other };
    },
  })),
  isReady: ({ one }) => one.trim() !== '',
  build: ({ model, draft: { one, other, dimensions } }) =>
    jsonRequest(
      '/v1/embeddings',
      'embeddings',
      given({
        model: model.id,
        input: other.trim() === '' ? [one] : [one, other],
        dimensions: dimensions === '' ? undefined : Number(dimensions),
      }),
    ),
  start: [],
  read: readJson(vectorsOf),
  Form,
  Settings,
  Result,
};
