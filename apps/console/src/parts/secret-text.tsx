import { CopyButton } from './copy-button.jsx';

interface SecretTextProps {
  readonly text: string;
  /** What is copied, such as `Copy the key`. */
  readonly copyLabel: string;
}

/** A key or a secret that is shown once, whole, with a button that copies it. */
export const SecretText = ({ text, copyLabel }: SecretTextProps) => (
  <div className="flex items-center gap-2 rounded-panel border bg-sunken py-1 pr-1 pl-3">
    <code className="min-w-0 flex-1 break-all font-mono text-small">{text}</code>
    <CopyButton text={text} label={copyLabel} />
  </div>
);
