import { SNIPPET_LANGUAGES, type SnippetLanguage, type SnippetServer, writeSnippet } from '@gateway/snippets';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useSettings } from '../../../api/settings.js';
import { CodeBlock } from '../../../parts/code-block.jsx';
import { Dialog } from '../../../parts/dialog.jsx';
import { Switch } from '../../../parts/switch.jsx';
import { Tabs } from '../../../parts/tabs.jsx';
import type { Code } from './code-of.js';
import { shorten } from './shorten.js';

const LANGUAGES = Object.keys(SNIPPET_LANGUAGES) as readonly SnippetLanguage[];

function Snippet({ label, code }: { readonly label: string; readonly code: string }) {
  const shown = shorten(code);
  return (
    <>
      <CodeBlock label={label} code={shown} whole={code} />
      {shown !== code && (
        <p className="text-muted">
          <Trans>The data of files is shortened here. Copying gives the whole program.</Trans>
        </p>
      )}
    </>
  );
}

function CodeOf({ coded, server }: { readonly coded: Code['requests'][number]; readonly server: SnippetServer }) {
  const { t } = useLingui();
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const { request, model } = coded;
  const code = writeSnippet(language, request, server);
  return (
    <Tabs
      label={t`Language`}
      value={language}
      onValue={setLanguage}
      tabs={LANGUAGES.map((id) => ({
        id,
        label: SNIPPET_LANGUAGES[id],
        content: id === language && <Snippet label={`${SNIPPET_LANGUAGES[id]}, ${model}`} code={code} />,
      }))}
    />
  );
}

interface CodeDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly code: Code | null;
  /** The key in use. */
  readonly apiKey: string | undefined;
}

/** What the page would send, or has sent, as programs that run. The key stays out of them until the person asks for it. */
export function CodeDialog({ isOpen, onClose, code, apiKey }: CodeDialogProps) {
  const { t } = useLingui();
  const { gateway_url: gatewayUrl } = useSettings();
  const [hasKey, setHasKey] = useState(false);
  const server: SnippetServer = {
    baseUrl: { text: gatewayUrl },
    token: hasKey && apiKey !== undefined ? { text: apiKey } : { variable: 'GATEWAY_API_KEY' },
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      place="panel"
      title={t`Code`}
      about={
        code?.isSent === true ? (
          <Trans>What this page sent last, as a program.</Trans>
        ) : (
          <Trans>What this page would send now, as a program.</Trans>
        )
      }
    >
      <div className="flex flex-col gap-6">
        {apiKey !== undefined && (
          <Switch
            label={t`With the key of this page`}
            hint={t`It ends within the hour. Otherwise the program reads GATEWAY_API_KEY.`}
            isOn={hasKey}
            onChange={setHasKey}
          />
        )}
        {code?.requests.map((coded) => (
          <CodeOf key={coded.model} coded={coded} server={server} />
        ))}
      </div>
    </Dialog>
  );
}
