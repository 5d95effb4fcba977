import { useLingui } from '@lingui/react/macro';
import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { buttonClasses } from '../../../parts/button.jsx';

/** An address of bytes in memory, for as long as the part is on the page. */
function useObjectUrl(bytes: Blob): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(bytes);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);
  return url;
}

/** Sound that plays in the page, with its download. */
export function ObjectAudio({ bytes, label }: { readonly bytes: Blob; readonly label: string }) {
  const { t } = useLingui();
  const url = useObjectUrl(bytes);
  if (url === undefined) return null;
  const type = bytes.type.includes('wav') ? 'wav' : 'mp3';
  return (
    <div className="flex flex-wrap items-center gap-2">
      {/* biome-ignore lint/a11y/useMediaCaption: the text of the speech stands in the form above. */}
      <audio controls src={url} aria-label={label} className="max-w-full" />
      <a href={url} download={`speech.${type}`} className={buttonClasses('quiet')}>
        <Download aria-hidden />
        {t`Download`}
      </a>
    </div>
  );
}
