import { useLingui } from '@lingui/react/macro';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './button.jsx';
import { useToast } from './toasts.jsx';

const SHOWN_MS = 1_500;

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, such as `Copy the key`. */
  readonly label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const { t } = useLingui();
  const toast = useToast();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      // The person or the browser forbids it, such as on an address without TLS.
      toast({ title: t`The browser did not copy it`, description: t`Select the text, and copy it by the keys.` });
    }
  };
  return (
    <IconButton label={isCopied ? t`Copied` : label} onClick={() => void copy()}>
      {isCopied ? <Check aria-hidden className="text-succeeded" /> : <Copy aria-hidden />}
    </IconButton>
  );
}
