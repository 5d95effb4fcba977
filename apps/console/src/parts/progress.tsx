import { Progress as BaseProgress } from '@base-ui/react/progress';

interface ProgressProps {
  /** What progresses, such as `Video task 3 of 5`. */
  readonly label: string;
  /** From 0 to 1; null: unknown. */
  readonly share: number | null;
  /** What the bar says in words. */
  readonly words: string;
}

const PER_CENT = 100;

/** A thin bar. The words beside it say the same. */
export const Progress = ({ label, share, words }: ProgressProps) => (
  <BaseProgress.Root
    aria-label={label}
    value={share === null ? null : share * PER_CENT}
    getAriaValueText={() => words}
    className="w-full"
  >
    <BaseProgress.Track className="block h-1 overflow-hidden rounded-round bg-line">
      <BaseProgress.Indicator className="drawn block h-full bg-running transition-[width] data-indeterminate:w-full data-indeterminate:animate-pulse motion-reduce:data-indeterminate:opacity-40" />
    </BaseProgress.Track>
  </BaseProgress.Root>
);
