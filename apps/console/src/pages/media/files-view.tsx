import { Trans, useLingui } from '@lingui/react/macro';
import { Download, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { remove } from '../../api/call.js';
import { FILE_PURPOSES, type KeptFile } from '../../api/media.js';
import { useRows } from '../../api/pages.js';
import { useMay } from '../../api/session.js';
import { bytes } from '../../format/bytes.js';
import { Button, buttonClasses } from '../../parts/button.jsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.jsx';
import { CopyButton } from '../../parts/copy-button.jsx';
import type { Column } from '../../parts/data-table.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { Time } from '../../parts/figures.jsx';
import { MissingRow } from '../../parts/missing-row.jsx';
import { Facts } from '../../parts/page.jsx';
import { useExclusiveMutation } from '../../parts/use-exclusive-mutation.js';
import { useOpenRow } from '../../parts/use-open-row.js';
import { KeptList } from './kept-list.jsx';
import { StorageUse } from './storage-use.jsx';
import { useListSearch } from './use-list-search.js';

const PATH = '/account/files';
const FILTERS = ['purpose', 'test'];

function useColumns(): readonly Column<KeptFile>[] {
  const { t, i18n } = useLingui();
  return useMemo(
    () => [
      {
        id: 'name',
        title: t`Name`,
        width: 'minmax(10rem,2fr)',
        narrowWidth: '1fr',
        cell: (row) => <span className="font-medium">{row.filename}</span>,
      },
      { id: 'purpose', title: t`Purpose`, width: '8rem', isExtra: true, cell: (row) => row.purpose },
      { id: 'type', title: t`Type`, width: 'minmax(7rem,1fr)', isExtra: true, cell: (row) => row.content_type },
      {
        id: 'created',
        title: t`Kept since`,
        width: '8.5rem',
        isExtra: true,
        cell: (row) => <Time at={row.created_at} />,
      },
      {
        id: 'expires',
        title: t`Until`,
        width: '8.5rem',
        narrowWidth: '6.5rem',
        cell: (row) => (row.expires_at === null ? t`no end` : <Time at={row.expires_at} form="relative" />),
      },
      {
        id: 'bytes',
        title: t`Size`,
        width: '6rem',
        narrowWidth: '5rem',
        isNumber: true,
        cell: (row) => bytes(row.bytes, i18n.locale),
      },
    ],
    [t, i18n.locale],
  );
}

/** Shows what a browser can show. */
function Preview({ file }: { readonly file: KeptFile }) {
  const { content_url: url, content_type: type, filename } = file;
  if (url === null) return null;
  const frame = 'max-h-[45vh] w-full rounded-panel bg-sunken object-contain';
  if (type.startsWith('image/')) return <img src={url} alt={filename} className={frame} />;
  // biome-ignore-start lint/a11y/useMediaCaption: a customer's own media have no captions here.
  if (type.startsWith('video/'))
    return <video src={url} controls preload="metadata" aria-label={filename} className={frame} />;
  if (type.startsWith('audio/')) return <audio src={url} controls aria-label={filename} className="w-full" />;
  // biome-ignore-end lint/a11y/useMediaCaption: see above.
  return null;
}

function DeleteFile({ file, onDone }: { readonly file: KeptFile; readonly onDone: () => void }) {
  const { t } = useLingui();
  const [isAsking, setIsAsking] = useState(false);
  const end = useExclusiveMutation({ mutationFn: () => remove(`${PATH}/${file.id}`), onSuccess: onDone });
  return (
    <>
      <Button kind="danger" onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden />
        <Trans>Delete the file</Trans>
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t`Delete ${file.filename}?`}
        action={t`Delete the file`}
        isBusy={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate()}
      >
        <p>{t`Its address opens nothing from then on, and it cannot be brought back.`}</p>
      </ConfirmDialog>
    </>
  );
}

function FileView({ file, onClose }: { readonly file: KeptFile; readonly onClose: () => void }) {
  const { t, i18n } = useLingui();
  const mayDevelop = useMay('developer');
  return (
    <div className="flex flex-col gap-6">
      <Preview file={file} />
      <Facts
        rows={[
          [t`Purpose`, file.purpose],
          [t`Type`, file.content_type],
          [t`Size`, bytes(file.bytes, i18n.locale)],
          [t`Kept since`, <Time key="since" at={file.created_at} form="exact" />],
          [t`Until`, file.expires_at === null ? t`no end` : <Time key="until" at={file.expires_at} form="exact" />],
          [
            'SHA-256',
            <code key="hash" className="break-all font-mono text-small">
              {file.sha256}
            </code>,
          ],
        ]}
      />
      <div className="flex flex-wrap gap-2">
        {file.content_url !== null && (
          <a href={file.content_url} download target="_blank" rel="noreferrer" className={buttonClasses()}>
            <Download aria-hidden />
            <Trans>Download</Trans>
          </a>
        )}
        {mayDevelop && <DeleteFile file={file} onDone={onClose} />}
      </div>
    </div>
  );
}

interface FilePanelProps {
  readonly file: KeptFile | undefined;
  readonly onClose: () => void;
}

const FilePanel = ({ file, onClose }: FilePanelProps) => {
  const { t } = useLingui();
  return (
    <Dialog
      isOpen={file !== undefined}
      onClose={onClose}
      place="panel"
      title={file?.filename ?? ''}
      about={
        <span className="flex items-center gap-1">
          <code className="truncate font-mono text-small">{file?.id}</code>
          <CopyButton text={file?.id ?? ''} label={t`Copy the file id`} />
        </span>
      }
    >
      {file !== undefined && <FileView key={file.id} file={file} onClose={onClose} />}
    </Dialog>
  );
};

/** What the gateway keeps: uploads, results of batches, and media of vendors. */
export function FilesView() {
  const { t } = useLingui();
  const search = useListSearch('files', FILTERS);
  const columns = useColumns();
  const list = useRows<KeptFile>(PATH, search.filter);
  const opened = useOpenRow(list, search.open, ({ id }) => id);
  return (
    <div className="flex flex-col gap-4">
      <StorageUse />
      {opened.isMissing && <MissingRow id={search.open} onClose={() => search.show(undefined)} />}
      <KeptList
        label={t`Files`}
        path={PATH}
        list={list}
        columns={columns}
        search={search}
        choice={{
          name: 'purpose',
          label: t`Purpose`,
          any: t`Any purpose`,
          choices: FILE_PURPOSES.map((value) => ({ value, label: value })),
        }}
        empty={{
          filtered: t`No file matches`,
          title: t`Nothing is kept`,
          next: <Trans>Videos of vendors, results of batches and what you upload to /v1/files stand here.</Trans>,
        }}
      />
      <FilePanel file={opened.row} onClose={() => search.show(undefined)} />
    </div>
  );
}
