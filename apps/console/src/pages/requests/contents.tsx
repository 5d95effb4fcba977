import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Eye, FlaskConical } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type ContentPart, type Contents, contentsQuery } from '../../api/contents.js';
import { isGatewayError } from '../../api/failures.js';
import type { Receipt } from '../../api/requests.js';
import { Button, buttonClasses } from '../../parts/button.jsx';
import { CodeBlock } from '../../parts/code-block.jsx';
import { Time } from '../../parts/figures.jsx';
import { Section } from '../../parts/page.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';

/** A page stays quick with so many characters; copying takes all. */
const MOST_SHOWN = 20_000;

/** JSON with its lines, anything else as it is. */
function readable({ content_type: type, text }: ContentPart): string {
  if (text === null || type?.startsWith('application/json') !== true) return text ?? '';
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function Part({ label, part, missing }: { label: string; part: ContentPart | null; missing: ReactNode }) {
  if (part === null) return <p className="text-muted">{missing}</p>;
  const text = readable(part);
  const size = part.base64 === null ? 0 : Math.floor((part.base64.length * 3) / 4);
  return (
    <>
      <h4 className="font-medium text-small">{label}</h4>
      {part.text === null ? (
        <p className="text-muted">
          <Trans>
            {size} bytes of {part.content_type ?? 'data'}
          </Trans>
        </p>
      ) : (
        <div className="max-h-96 overflow-y-auto">
          <CodeBlock code={text.slice(0, MOST_SHOWN)} whole={text} label={label} />
        </div>
      )}
      {part.is_truncated && (
        <p className="text-muted text-small">
          <Trans>Only the first mebibyte was kept.</Trans>
        </p>
      )}
    </>
  );
}

function Kept({ contents }: { readonly contents: Contents }) {
  const { t } = useLingui();
  const { request, response, response_path: path, is_complete: isComplete, expires_at: expiresAt } = contents;
  return (
    <div className="flex flex-col gap-2">
      <Part label={t`Prompt`} part={request} missing={<Trans>Forms with files are not kept.</Trans>} />
      <Part
        label={t`Answer`}
        part={response}
        missing={path === null ? <Trans>There was no answer.</Trans> : <Trans>The answer is kept at {path}.</Trans>}
      />
      {response !== null && !isComplete && (
        <p className="text-muted text-small">
          <Trans>The answer broke off, or its client left.</Trans>
        </p>
      )}
      <p className="text-muted text-small">
        <Trans>Kept until</Trans> <Time at={expiresAt} form="exact" />
      </p>
    </div>
  );
}

/** The prompt and the answer, if the key keeps them. Each look is in the audit log, so a person asks for it. */
export function ContentsSection({ receipt }: { readonly receipt: Receipt }) {
  const { t } = useLingui();
  const [isAsked, setIsAsked] = useState(false);
  const { data, error, refetch } = useQuery({ ...contentsQuery(receipt.request_id), enabled: isAsked });
  const isMissing = isGatewayError(error) && error.status === 404;
  return (
    <Section title={t`Prompt and answer`}>
      {!isAsked && (
        <Button className="self-start" onClick={() => setIsAsked(true)}>
          <Eye aria-hidden />
          <Trans>Show them</Trans>
        </Button>
      )}
      {isAsked && data === undefined && error === null && <Skeleton rows={4} />}
      {isMissing && (
        <p className="text-muted">
          <Trans>
            Nothing is kept of this request. A key keeps prompts and answers for 24 hours if you switch it on.
          </Trans>
        </p>
      )}
      {error !== null && !isMissing && <Problem error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <Kept contents={data} />}
      {data?.request?.text != null && (
        <Link
          to="/playground"
          search={{ model: receipt.model, endpoint: receipt.endpoint } as never}
          state={{ body: data.request.text } as never}
          className={buttonClasses('plain', 'self-start')}
        >
          <FlaskConical aria-hidden />
          <Trans>Try this prompt again</Trans>
        </Link>
      )}
    </Section>
  );
}
