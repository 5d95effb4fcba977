import { Trans, useLingui } from '@lingui/react/macro';
import { lazyPart } from '../../../parts/lazy-part.jsx';
import { hasEnded } from '../bench/exchange.js';
import type { ResultProps } from '../bench/kind.js';
import type { ChatAnswer, ChatInput } from './conversation.js';
import { isImage } from './conversation.js';
import type { ChatDraft } from './draft.js';
import { ToolCalls } from './tool-calls.jsx';

const Markdown = lazyPart(() => import('./markdown/markdown.jsx'), 'Markdown', {
  Waiting: ({ text }) => <p className="whitespace-pre-wrap">{text}</p>,
});

const Sent = ({ text, attachments, results }: ChatInput) => (
  <div className="flex max-w-[85%] flex-col gap-2 self-end rounded-panel bg-sunken px-3 py-2">
    {attachments.map(({ name, mediaType, base64 }, index) =>
      isImage(mediaType) ? (
        <img key={index} src={`data:${mediaType};base64,${base64}`} alt={name} className="max-h-40 rounded-control" />
      ) : (
        <span key={index} className="wrap-anywhere text-muted">
          {name}
        </span>
      ),
    )}
    {results.map(({ callId, name, content }) => (
      <p key={callId} className="break-words font-mono text-small">
        {name} → {content}
      </p>
    ))}
    {text !== '' && <p className="whitespace-pre-wrap break-words">{text}</p>}
  </div>
);

function Thinking({ text, isComing }: { readonly text: string; readonly isComing: boolean }) {
  if (text === '') return null;
  return (
    <details open={isComing} className="text-muted">
      <summary className="cursor-pointer">
        <Trans>Thinking</Trans>
      </summary>
      <p className="mt-1 whitespace-pre-wrap break-words border-l-2 pl-3 text-small">{text}</p>
    </details>
  );
}

const LIMITED = ['length', 'max_tokens', 'MAX_TOKENS', 'max_output_tokens'];

/** A message, and the model's answer as it comes. */
export function ChatResult({ exchange, send }: ResultProps<ChatDraft, ChatAnswer>) {
  const { t } = useLingui();
  const { draft, output } = exchange;
  const { finish } = output;
  const isComing = !hasEnded(exchange);
  return (
    <div className="flex flex-col gap-3">
      <Sent text={draft.text} attachments={draft.attachments} results={draft.results} />
      <section aria-label={t`Answer`} aria-busy={isComing} className="flex min-w-0 flex-col gap-3">
        <Thinking text={output.thinking} isComing={isComing && output.text === ''} />
        {output.text !== '' && <Markdown text={output.text} isComing={isComing} />}
        {LIMITED.includes(finish ?? '') && (
          <p className="text-warned">
            <Trans>The answer ended at its limit of tokens.</Trans>
          </p>
        )}
        {!isComing && finish !== null && output.text === '' && output.calls.length === 0 && (
          <p className="text-muted">
            <Trans>The model wrote no text. It ended with {finish}.</Trans>
          </p>
        )}
        <ToolCalls
          calls={output.calls}
          onAnswer={send && ((results) => send({ ...draft, text: '', attachments: [], results }))}
        />
      </section>
    </div>
  );
}
