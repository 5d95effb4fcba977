import { Trans, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { type ClipboardEvent, useState } from 'react';
import { IconButton } from '../../../parts/button.jsx';
import { FileButton } from '../bench/file-button.jsx';
import type { FormProps } from '../bench/kind.js';
import { base64Of } from '../bench/read-file.js';
import { type Attachment, isImage } from './conversation.js';
import type { ChatDraft } from './draft.js';
import { RecordButton } from './record-button.jsx';

/** With base64 this stays below the 32 MiB of a body. */
const MAX_BYTES = 20 * 1_024 * 1_024;

const attachmentOf = async (file: File): Promise<Attachment> => ({
  name: file.name,
  mediaType: file.type === '' ? 'application/octet-stream' : file.type,
  base64: await base64Of(file),
});

const Chip = ({ attachment, onRemove }: { readonly attachment: Attachment; readonly onRemove: () => void }) => {
  const { t } = useLingui();
  const { name, mediaType, base64 } = attachment;
  return (
    <li className="flex items-center gap-1 rounded-control border pl-2">
      {isImage(mediaType) && (
        <img src={`data:${mediaType};base64,${base64}`} alt="" className="size-6 rounded-control object-cover" />
      )}
      <span className="max-w-40 truncate">{name}</span>
      <IconButton label={t`Remove ${name}`} onClick={onRemove}>
        <X aria-hidden />
      </IconButton>
    </li>
  );
};

/** The message and its files. Pasted images are added too. */
export function ChatForm({ draft, change, models, actions }: FormProps<ChatDraft>) {
  const { t } = useLingui();
  const [isTooLarge, setIsTooLarge] = useState(false);
  const takes = (kind: string) => models.every(({ capabilities }) => capabilities.chat?.inputs.includes(kind) === true);
  const accept = [takes('image') && 'image/*', takes('audio') && 'audio/*', takes('file') && 'application/pdf'];
  const accepted = accept.filter((one) => one !== false).join(',');
  const add = async (files: readonly File[]) => {
    const small = files.filter(({ size }) => size <= MAX_BYTES);
    setIsTooLarge(small.length < files.length);
    const added = await Promise.all(small.map(attachmentOf));
    change(({ attachments }) => ({ attachments: [...attachments, ...added] }));
  };
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files].filter(({ type }) => isImage(type));
    if (files.length === 0 || !takes('image')) return;
    event.preventDefault();
    void add(files);
  };
  return (
    <div className="flex flex-col gap-2">
      <textarea
        aria-label={t`Message`}
        placeholder={t`Write a message. Ctrl+Enter sends it.`}
        rows={2}
        value={draft.text}
        onChange={({ target }) => change({ text: target.value })}
        onPaste={paste}
        className="field-sizing-content max-h-60 min-h-14 w-full resize-y rounded-control border border-control bg-surface px-2.5 py-1.5 placeholder:text-muted"
      />
      <div className="flex flex-wrap items-center gap-2">
        {accepted !== '' && (
          <FileButton label={t`Add a file`} accept={accepted} isSeveral onFiles={(files) => void add(files)} />
        )}
        {takes('audio') && <RecordButton onFile={(file) => void add([file])} />}
        <ul aria-label={t`Files`} className="flex flex-wrap gap-2 empty:hidden">
          {draft.attachments.map((attachment, index) => (
            <Chip
              key={`${index} ${attachment.name}`}
              attachment={attachment}
              onRemove={() =>
                change(({ attachments }) => ({ attachments: attachments.filter((one) => one !== attachment) }))
              }
            />
          ))}
        </ul>
        {isTooLarge && (
          <span role="alert" className="text-failed">
            <Trans>A file has at most 20 MB.</Trans>
          </span>
        )}
        <div className="ml-auto">{actions}</div>
      </div>
    </div>
  );
}
