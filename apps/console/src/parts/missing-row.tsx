import { Trans } from '@lingui/react/macro';
import { Button } from './button.jsx';
import { Notice } from './notice.jsx';

interface MissingRowProps {
  readonly id: string | undefined;
  readonly onClose: () => void;
}

/** Says that the address opens nothing. */
export const MissingRow = ({ id, onClose }: MissingRowProps) => (
  <Notice kind="warned">
    <div className="flex flex-wrap items-center justify-between gap-3">
      <span className="wrap-anywhere">
        <Trans>
          Nothing here has the id <code className="font-mono text-small">{id}</code>. It may have ended, or belong to
          another organisation.
        </Trans>
      </span>
      <Button onClick={onClose}>
        <Trans>Close</Trans>
      </Button>
    </div>
  </Notice>
);
