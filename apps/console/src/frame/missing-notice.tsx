import { Trans } from '@lingui/react/macro';
import { TriangleAlert } from 'lucide-react';
import { Button } from '../parts/button.jsx';
import { useMissingParts } from '../parts/missing-parts.js';
import { ReloadButton } from '../parts/states.jsx';

/** Above a page without some of its parts, such as a menu. The rest of the page works, so it stays with all that is typed. */
export function MissingNotice() {
  const missing = useMissingParts();
  return (
    <div role="status">
      {missing.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b bg-warned-wash px-4 py-2 md:px-8">
          <p className="flex min-w-0 items-center gap-2 text-warned">
            <TriangleAlert aria-hidden className="size-4 shrink-0" />
            <Trans>A part of the page did not come. The console may have a newer release.</Trans>
          </p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => missing.forEach((retry) => void retry())}>
              <Trans>Try again</Trans>
            </Button>
            <ReloadButton />
          </div>
        </div>
      )}
    </div>
  );
}
