import { useLingui } from '@lingui/react/macro';
import { CopyButton } from './copy-button.jsx';

/** Code to copy. It scrolls sideways instead of breaking its lines. */
export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  const { t } = useLingui();
  return (
    <figure aria-label={label} className="relative rounded-panel border bg-sunken">
      <div className="absolute top-1 right-1 rounded-control bg-sunken">
        <CopyButton text={code} label={t`Copy ${label}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a person without a mouse scrolls it with the keys. */}
      <pre tabIndex={0} className="overflow-x-auto p-3 pr-10 font-mono text-small">
        <code>{code}</code>
      </pre>
    </figure>
  );
}
