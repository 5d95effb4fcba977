import { useLingui } from '@lingui/react/macro';
import { CopyButton } from './copy-button.jsx';

interface CodeBlockProps {
  readonly code: string;
  readonly label: string;
  /** What is copied, if it is longer than what is shown. */
  readonly whole?: string;
}

/** Code to copy. It scrolls sideways instead of breaking its lines. */
export function CodeBlock({ code, label, whole = code }: CodeBlockProps) {
  const { t } = useLingui();
  return (
    <figure aria-label={label} className="relative rounded-panel border bg-sunken">
      <div className="absolute top-1 right-1 rounded-control bg-sunken">
        <CopyButton text={whole} label={t`Copy ${label}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a person without a mouse scrolls it with the keys. */}
      <pre tabIndex={0} className="overflow-x-auto p-3 pr-10 font-mono text-small">
        <code>{code}</code>
      </pre>
    </figure>
  );
}
