import { useLingui } from '@lingui/react/macro';
import { Download } from 'lucide-react';
import { buttonClasses } from '../../../parts/button.jsx';
import { Skeleton } from '../../../parts/states.jsx';
import { hasEnded } from '../bench/exchange.js';
import type { ResultProps } from '../bench/kind.js';
import type { MadeImage } from './image-answer.js';

/** The images of an answer, each with its download. */
export function Images<Draft extends { readonly prompt: string }>({
  exchange,
}: ResultProps<Draft, readonly MadeImage[]>) {
  const { t } = useLingui();
  if (!hasEnded(exchange)) return <Skeleton rows={6} />;
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(16rem,100%),1fr))] gap-4 empty:hidden">
      {exchange.output.map(({ src, fileName }) => (
        <li key={fileName} className="flex flex-col gap-2">
          <img src={src} alt={exchange.draft.prompt} className="w-full rounded-panel border" />
          <a href={src} download={fileName} className={buttonClasses('quiet', 'self-start')}>
            <Download aria-hidden />
            {t`Download`}
          </a>
        </li>
      ))}
    </ul>
  );
}
