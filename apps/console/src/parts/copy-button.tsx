import { useLingui } from '@lingui/react/macro';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './button.jsx';

const SHOWN_MS = 1_500;

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, such as `Copy the key`. */
  readonly label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const { t } = useLingui();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => void navigator.clipboard.writeText(text).then(() => setIsCopied(true));
  return (
    <IconButton label={isCopied ? t`Copied` : label} onClick={copy}>
      {isCopied ? <Check aria-hidden className="text-succeeded" /> : <Copy aria-hidden />}
    </IconButton>
  );
}
