import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Columns2 } from 'lucide-react';
import { useState } from 'react';
import { post } from '../../api/call.js';
import { modelsQuery } from '../../api/models.js';
import type { Receipt } from '../../api/requests.js';
import { useMay } from '../../api/session.js';
import { nanoUsd, type Usd, usdOfNano } from '../../format/money.js';
import { buttonClasses } from '../../parts/button.jsx';
import { Amount } from '../../parts/figures.jsx';
import { Facts, Section } from '../../parts/page.jsx';
import { Select } from '../../parts/select.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';

interface UnitsQuote {
  readonly valid: boolean;
  readonly estimate_usd?: Usd;
  readonly errors?: readonly { readonly message: string }[];
}

/** The smallest body of each kind: the units of the receipt are priced, not the body. */
const BODIES: Readonly<Record<string, object>> = {
  'chat.completions': { messages: [{ role: 'user', content: 'x' }] },
  messages: { messages: [{ role: 'user', content: 'x' }], max_tokens: 1 },
  responses: { input: 'x' },
  completions: { prompt: 'x' },
  embeddings: { input: 'x' },
  'audio.speech': { input: 'x', voice: 'alloy' },
  'images.generations': { prompt: 'x' },
};

const unitsOf = ({ lines }: Receipt) => Object.fromEntries(lines.map(({ unit, count }) => [unit, count]));

const useQuote = (receipt: Receipt, model: string | undefined) =>
  useQuery({
    queryKey: ['quote-of-receipt', receipt.request_id, model],
    queryFn: () =>
      post<UnitsQuote>('/account/quote', {
        endpoint: receipt.endpoint,
        body: { ...BODIES[receipt.endpoint], model },
        units: unitsOf(receipt),
      }),
    enabled: model !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });

const SideBySide = ({
  receipt,
  model,
  usd,
}: {
  readonly receipt: Receipt;
  readonly model: string;
  readonly usd: Usd;
}) => {
  const { t } = useLingui();
  return (
    <Facts
      rows={[
        [receipt.model, <Amount key="paid" usd={receipt.cost_usd} isExact />],
        [model, <Amount key="other" usd={usd} isExact />],
        [t`Difference`, <Amount key="difference" usd={usdOfNano(nanoUsd(usd) - nanoUsd(receipt.cost_usd))} isExact />],
      ]}
    />
  );
};

/** What the same units would cost on another model today, priced by the engine that bills. */
export function OtherModel({ receipt }: { readonly receipt: Receipt }) {
  const { t } = useLingui();
  const [model, setModel] = useState<string>();
  const mayTry = useMay('developer');
  const models = useQuery(modelsQuery);
  const { data, error } = useQuote(receipt, model);
  const path = models.data?.data.find(({ id }) => id === receipt.model)?.endpoints ?? [];
  const others = (models.data?.data ?? []).filter(
    ({ id, endpoints }) => id !== receipt.model && endpoints.some((endpoint) => path.includes(endpoint)),
  );
  if (BODIES[receipt.endpoint] === undefined || receipt.lines.length === 0 || others.length === 0) return null;
  return (
    <Section title={t`On another model`} about={<Trans>The same units at today's prices.</Trans>}>
      <Select
        label={t`Other model`}
        isLabelHidden
        value={model ?? ''}
        onValue={(next) => setModel(next === '' ? undefined : next)}
        choices={[{ value: '', label: t`Choose a model` }, ...others.map(({ id }) => ({ value: id, label: id }))]}
        className="w-64 self-start"
      />
      {error !== null && <Problem error={error} />}
      {model !== undefined && data === undefined && error === null && <Skeleton rows={2} />}
      {model !== undefined && data?.estimate_usd !== undefined && (
        <SideBySide receipt={receipt} model={model} usd={data.estimate_usd} />
      )}
      {model !== undefined && mayTry && (
        <Link
          to="/playground"
          search={{ model: `${receipt.model},${model}`, endpoint: receipt.endpoint } as never}
          className={buttonClasses('plain', 'self-start')}
        >
          <Columns2 aria-hidden />
          <Trans>Ask both, side by side</Trans>
        </Link>
      )}
      {data?.valid === false && <p className="text-muted">{data.errors?.map(({ message }) => message).join(' ')}</p>}
    </Section>
  );
}
