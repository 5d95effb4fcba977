import { useLingui } from '@lingui/react/macro';
import type { Model } from '../../../api/models.js';
import { TextField } from '../../../parts/field.jsx';
import { Select } from '../../../parts/select.jsx';

export interface ImageChoices {
  readonly size: string;
  readonly quality: string;
  readonly count: string;
}

export const FIRST_CHOICES: ImageChoices = { size: '', quality: '', count: '1' };

/** What both kinds of image requests can choose. */
type Offer = NonNullable<Model['capabilities']['images'] | Model['capabilities']['edits']>;

interface ImageSettingsProps {
  readonly choices: ImageChoices;
  readonly change: (change: Partial<ImageChoices>) => void;
  /** Of each chosen model. */
  readonly offers: readonly Offer[];
}

const OWN = 'own';

const common = (offers: readonly Offer[], of: (offer: Offer) => readonly string[]): readonly string[] =>
  (offers[0] === undefined ? [] : of(offers[0])).filter((value) => offers.every((offer) => of(offer).includes(value)));

/** Size, quality and number: what every chosen model offers. */
export function ImageSettings({ choices, change, offers }: ImageSettingsProps) {
  const { t } = useLingui();
  const sizes = common(offers, ({ sizes: all }) => all);
  const qualities = common(offers, ({ qualities: all }) => all);
  const own = { value: OWN, label: t`The model's own` };
  const most = Math.min(...offers.map(({ max_images: max }) => max));
  const toChoices = (values: readonly string[]) => [own, ...values.map((value) => ({ value, label: value }))];
  const chosen = (value: string) => (value === OWN ? '' : value);
  return (
    <>
      {sizes.length > 0 && (
        <Select
          label={t`Size`}
          value={choices.size === '' ? OWN : choices.size}
          onValue={(value) => change({ size: chosen(value) })}
          choices={toChoices(sizes)}
          className="w-full"
        />
      )}
      {qualities.length > 0 && (
        <Select
          label={t`Quality`}
          value={choices.quality === '' ? OWN : choices.quality}
          onValue={(value) => change({ quality: chosen(value) })}
          choices={toChoices(qualities)}
          className="w-full"
        />
      )}
      <TextField
        label={t`How many images`}
        hint={t`1 to ${most}`}
        inputMode="numeric"
        value={choices.count}
        onValue={(count) => change({ count: count.replace(/\D/g, '').slice(0, 2) })}
      />
    </>
  );
}

/** The fields that a model has: another one of a comparison may lack a chosen value. */
export const chosenFields = ({ size, quality, count }: ImageChoices, offer: Offer | undefined) => ({
  size: offer?.sizes.includes(size) === true ? size : undefined,
  quality: offer?.qualities.includes(quality) === true ? quality : undefined,
  n: count === '' ? 1 : Number(count),
});
