import { Trans, useLingui } from '@lingui/react/macro';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../../api/session.js';
import { useSettings } from '../../api/settings.js';
import { buttonClasses } from '../../parts/button.jsx';
import { Section } from '../../parts/page.jsx';
import { SecretText } from '../../parts/secret-text.jsx';

const Address = ({
  name,
  about,
  text,
}: {
  readonly name: string;
  readonly about: ReactNode;
  readonly text: string;
}) => {
  const { t } = useLingui();
  return (
    <div className="flex max-w-xl flex-col gap-1">
      <p className="font-medium">{name}</p>
      <SecretText text={text} copyLabel={t`Copy: ${name}`} />
      <p className="text-muted text-small">{about}</p>
    </div>
  );
};

/** Where programs call, and where it is described. */
export function Addresses() {
  const { t } = useLingui();
  const { account } = useSession();
  const { gateway_url: gatewayUrl, mcp_url: mcpUrl } = useSettings();
  return (
    <div className="flex flex-col gap-8 pt-2">
      <Section title={t`Addresses`}>
        <Address
          name={t`Gateway`}
          text={`${gatewayUrl}/v1`}
          about={<Trans>Models, with a key. Any client of OpenAI works; those of Anthropic and Gemini too.</Trans>}
        />
        <Address
          name={t`Account interface`}
          text={`${location.origin}/account`}
          about={<Trans>Everything that these pages do, with a session; a key with account:read reads it.</Trans>}
        />
        {mcpUrl !== null && (
          <Address name={t`Tools for agents (MCP)`} text={mcpUrl} about={<Trans>Models as tools, with a key.</Trans>} />
        )}
        <Address
          name={t`Id of the organisation`}
          text={account.id}
          about={<Trans>Say it when you ask for help.</Trans>}
        />
      </Section>
      <Section title={t`Documentation`} about={<Trans>Every route with its fields, errors and examples.</Trans>}>
        <p className="flex flex-wrap gap-2">
          <a href={`${gatewayUrl}/docs`} target="_blank" rel="noreferrer" className={buttonClasses()}>
            <Trans>Gateway</Trans>
            <ExternalLink aria-hidden />
          </a>
          <a href="/docs" target="_blank" rel="noreferrer" className={buttonClasses()}>
            <Trans>Account interface</Trans>
            <ExternalLink aria-hidden />
          </a>
        </p>
      </Section>
    </div>
  );
}
