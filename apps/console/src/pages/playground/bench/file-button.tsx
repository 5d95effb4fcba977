import { Paperclip } from 'lucide-react';
import { useId } from 'react';
import { buttonClasses } from '../../../parts/button.jsx';

interface FileButtonProps {
  readonly label: string;
  /** Media types with commas between them. */
  readonly accept: string;
  readonly isSeveral?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Chooses files. The same file can be chosen again. */
export function FileButton({ label, accept, isSeveral = false, onFiles }: FileButtonProps) {
  const id = useId();
  return (
    <>
      <input
        id={id}
        type="file"
        accept={accept}
        multiple={isSeveral}
        aria-label={label}
        className="peer sr-only"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <label htmlFor={id} className={buttonClasses('plain', 'cursor-pointer peer-focus-visible:outline-2')}>
        <Paperclip aria-hidden />
        {label}
      </label>
    </>
  );
}
