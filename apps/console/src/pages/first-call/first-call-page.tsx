import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { post } from '../../api/call.js';
import type { NewKey } from '../../api/keys.js';
import { type Model, modelsQuery } from '../../api/models.js';
import { useSettings } from '../../api/settings.js';
import { Button, buttonClasses } from '../../parts/button.jsx';
import { CodeBlock } from '../../parts/code-block.jsx';
import { NoCredit, useHasNoCredit } from '../../parts/no-credit.jsx';
import { Page } from '../../parts/page.jsx';
import { Problem } from '../../parts/states.jsx';
import { Tabs } from '../../parts/tabs.jsx';
import { useExclusiveMutation } from '../../parts/use-exclusive-mutation.js';
import { Arrivals } from './arrivals.jsx';
import { firstModel } from './first-model.js';
import { SNIPPETS, type SnippetId } from './snippets.js';
import { Step } from './step.jsx';

const PLACEHOLDER = 'sk-…';

const NO_MODELS: readonly Model[] = [];

function Code({ apiKey }: { readonly apiKey: string }) {
  const { t } = useLingui();
  const [language, setLanguage] = useState<SnippetId>('curl');
  const { gateway_url: gatewayUrl } = useSettings();
  const models = useQuery(modelsQuery).data?.data ?? NO_MODELS;
  const place = {
    gatewayUrl,
    key: apiKey,
    chatModel: firstModel(models, '/v1/chat/completions'),
    responsesModel: firstModel(models, '/v1/responses'),
  };
  return (
    <Tabs
      label={t`Language`}
      value={language}
      onValue={setLanguage}
      tabs={(Object.keys(SNIPPETS) as SnippetId[]).map((id) => ({
        id,
        label: SNIPPETS[id].label,
        content: <CodeBlock label={SNIPPETS[id].label} code={SNIPPETS[id].code(place)} />,
      }))}
    />
  );
}

/** Where most people go after the first answer. */
const Next = () => (
  <nav className="flex flex-wrap items-center gap-2 pt-1">
    <span className="text-muted">
      <Trans>It works. Next:</Trans>
    </span>
    <Link to="/keys" className={buttonClasses()}>
      <Trans>Give the key a cap</Trans>
    </Link>
    <Link to="/playground" className={buttonClasses()}>
      <Trans>Try other models</Trans>
    </Link>
    <Link to="/requests" className={buttonClasses()}>
      <Trans>See all requests</Trans>
    </Link>
  </nav>
);

/** From nothing to the first answer: a key, a command, and the request as it arrives. */
export function FirstCallPage() {
  const { t } = useLingui();
  const [made, setMade] = useState<NewKey>();
  const [hasArrived, setHasArrived] = useState(false);
  const onArrival = useCallback(() => setHasArrived(true), []);
  const hasNoCredit = useHasNoCredit();
  const make = useExclusiveMutation({
    mutationFn: (isTest: boolean) => post<NewKey>('/account/keys', { name: t`First call`, test: isTest }),
    onSuccess: setMade,
  });
  return (
    <Page title={t`First call`} about={<Trans>Make a key, paste a command, and watch the request arrive.</Trans>}>
      <NoCredit />
      <ol className="flex flex-col">
        <Step
          number={1}
          title={t`A key`}
          about={<Trans>It is written into the commands below, and shown only now.</Trans>}
          isDone={made !== undefined}
        >
          {made === undefined ? (
            <div className="flex flex-wrap gap-2">
              {hasNoCredit && (
                <Button kind="filled" isBusy={make.isPending} onClick={() => make.mutate(true)}>
                  <Trans>Make a test key</Trans>
                </Button>
              )}
              <Button
                kind={hasNoCredit ? 'plain' : 'filled'}
                isBusy={make.isPending}
                onClick={() => make.mutate(false)}
              >
                <Trans>Make a key</Trans>
              </Button>
            </div>
          ) : (
            <CodeBlock label={t`Your key`} code={made.key} />
          )}
          {make.error !== null && <Problem error={make.error} />}
        </Step>
        <Step number={2} title={t`A call`} isDone={hasArrived}>
          <Code apiKey={made?.key ?? PLACEHOLDER} />
        </Step>
        <Step number={3} title={t`Your request`} isDone={hasArrived}>
          <Arrivals keyId={made?.id} onArrival={onArrival} />
          {hasArrived && <Next />}
        </Step>
      </ol>
    </Page>
  );
}
