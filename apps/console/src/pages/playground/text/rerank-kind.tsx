import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { TextArea, TextField } from '../../../parts/field.jsx';
import { Skeleton } from '../../../parts/states.jsx';
import { jsonRequest } from '../bench/api-request.js';
import { hasEnded } from '../bench/exchange.js';
import { fieldsOf, listOf, numberOf } from '../bench/json.js';
import type { FormProps, Kind, ResultProps } from '../bench/kind.js';
import { readJson } from '../bench/read-json.js';

interface RerankDraft {
  readonly query: string;
  /** One document a line. */
  readonly documents: string;
}

interface Ranked {
  readonly index: number;
  readonly score: number;
}

const documentsOf = ({ documents }: RerankDraft): readonly string[] =>
  documents
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const Form = ({ draft, change }: FormProps<RerankDraft>) => {
  const { t } = useLingui();
  return (
    <div className="flex flex-col gap-3">
      <TextField label={t`Question`} value={draft.query} onValue={(query) => change({ query })} />
      <TextArea
        label={t`Documents`}
        hint={t`One on each line.`}
        rows={6}
        value={draft.documents}
        onValue={(documents) => change({ documents })}
      />
    </div>
  );
};

function Result({ exchange }: ResultProps<RerankDraft, readonly Ranked[]>) {
  const { t } = useLingui();
  const { draft, output } = exchange;
  if (output.length === 0) return hasEnded(exchange) ? null : <Skeleton rows={3} />;
  const documents = documentsOf(draft);
  const best = Math.max(...output.map(({ score }) => score), Number.EPSILON);
  return (
    <ol aria-label={t`Ranking`} className="flex flex-col gap-2">
      {output.map(({ index, score }) => (
        <li key={index} className="grid grid-cols-[4rem_1fr] items-baseline gap-x-4 gap-y-1">
          <span className="figures text-right">{score.toFixed(4)}</span>
          <span className="break-words">{documents[index]}</span>
          <span aria-hidden className="col-start-2 h-1 rounded-round bg-sunken">
            <span
              className="drawn block h-full rounded-round bg-accent"
              style={{ width: `${(Math.max(0, score) / best) * 100}%` }}
            />
          </span>
        </li>
      ))}
    </ol>
  );
}

const rankingOf = (answer: unknown): readonly Ranked[] =>
  listOf(fieldsOf(answer).results).map((entry) => {
    const { index, relevance_score: score } = fieldsOf(entry);
    return { index: numberOf(index) ?? 0, score: numberOf(score) ?? 0 };
  });

/** Documents by their relevance to a question. */
export const RERANK: Kind<RerankDraft, readonly Ranked[]> = {
  isConversation: false,
  first: { query: '', documents: '' },
  examples: [
    msg`Which fruit is red? / Bananas are yellow / Ripe cherries are red / The sky is blue`,
    msg`How do I get my money back? / Opening hours / Returns and refunds / Careers`,
  ].map((label) => ({
    label,
    fill: (words) => {
      const [query = '', ...documents] = words.split(' / ');
      return { query, documents: documents.join('\n') };
    },
  })),
  isReady: (draft) => draft.query.trim() !== '' && documentsOf(draft).length > 0,
  build: ({ model, draft }) =>
    jsonRequest('/v1/rerank', 'rerank', { model: model.id, query: draft.query, documents: documentsOf(draft) }),
  start: [],
  read: readJson(rankingOf),
  Form,
  Result,
};
