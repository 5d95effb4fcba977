import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { post } from '../../api/call.js';
import type { NewKey } from '../../api/keys.js';
import { modelsQuery } from '../../api/models.js';
import { useSettings } from '../../api/settings.js';
import { Button, buttonClasses } from '../../parts/button.jsx';
import { CodeBlock } from '../../parts/code-block.jsx';
import { NoCredit, useHasNoCredit } from '../../parts/no-credit.jsx';
import { Page } from '../../parts/page.jsx';
import { Problem } from '../../parts/states.jsx';
import { Tabs } from '../../parts/tabs.jsx';
import { Arrivals } from './arrivals.jsx';
import { SNIPPETS, type SnippetId } from './snippets.js';
import { Step } from './step.jsx';

const PLACEHOLDER = 'sk-…';

const USUAL_MODEL = 'gm-2.5-flash';

/** A small model if it is served here, else the first one for chat. */
function useFirstModel(): string {
  const { data } = useQuery(modelsQuery);
  const chat = (data?.data ?? []).filter(({ endpoints }) => endpoints.includes('/v1/chat/completions'));
  return chat.find(({ id }) => id === USUAL_MODEL)?.id ?? chat[0]?.id ?? USUAL_MODEL;
}

function Code({ apiKey }: { readonly apiKey: string }) {
  const { t } = useLingui();
  const [language, setLanguage] = useState<SnippetId>('curl');
  const { gateway_url: gatewayUrl } = useSettings();
  const model = useFirstModel();
  return (
    <Tabs
      label={t`Language`}
      value={language}
      onValue={setLanguage}
      tabs={(Object.keys(SNIPPETS) as SnippetId[]).map((id) => ({
        id,
        label: SNIPPETS[id].label,
        content: <CodeBlock label={SNIPPETS[id].label} code={SNIPPETS[id].code({ gatewayUrl, key: apiKey, model })} />,
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
  const [apiKey, setApiKey] = useState(PLACEHOLDER);
  const [hasArrived, setHasArrived] = useState(false);
  const onArrival = useCallback(() => setHasArrived(true), []);
  const hasNoCredit = useHasNoCredit();
  const make = useMutation({
    mutationFn: (isTest: boolean) => post<NewKey>('/account/keys', { name: t`First call`, test: isTest }),
    onSuccess: ({ key }) => setApiKey(key),
  });
  return (
    <Page title={t`First call`} about={<Trans>Make a key, paste a command, and watch the request arrive.</Trans>}>
      <NoCredit />
      <ol className="flex flex-col">
        <Step
          number={1}
          title={t`A key`}
          about={<Trans>It is written into the commands below, and shown only now.</Trans>}
          isDone={apiKey !== PLACEHOLDER}
        >
          {apiKey === PLACEHOLDER ? (
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
            <CodeBlock label={t`Your key`} code={apiKey} />
          )}
          {make.error !== null && <Problem error={make.error} />}
        </Step>
        <Step number={2} title={t`A call`} isDone={hasArrived}>
          <Code apiKey={apiKey} />
        </Step>
        <Step number={3} title={t`Your request`} isDone={hasArrived}>
          <Arrivals onArrival={onArrival} />
          {hasArrived && <Next />}
        </Step>
      </ol>
    </Page>
  );
}
