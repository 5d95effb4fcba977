import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { IconButton } from '../../../parts/button.jsx';
import { TextArea } from '../../../parts/field.jsx';
import { type ApiRequest, type FormPart, given } from '../bench/api-request.js';
import { FileButton } from '../bench/file-button.jsx';
import type { BuildContext, FormProps, Kind } from '../bench/kind.js';
import { readJson } from '../bench/read-json.js';
import { imagesOf, type MadeImage } from './image-answer.js';
import { chosenFields, FIRST_CHOICES, type ImageChoices, ImageSettings } from './image-settings.jsx';
import { Images } from './images.jsx';
import { MaskEditor } from './mask-editor.jsx';

interface EditsDraft extends ImageChoices {
  readonly prompt: string;
  readonly images: readonly File[];
  /** PNG of the first image's size, transparent where it may change; null: everywhere. */
  readonly mask: Blob | null;
}

function Form({ draft, change, models }: FormProps<EditsDraft>) {
  const { t } = useLingui();
  const [first] = draft.images;
  const takesMask = models.every(({ capabilities: { edits } }) => edits?.mask === true);
  return (
    <div className="flex flex-col gap-3">
      <TextArea label={t`What changes`} value={draft.prompt} onValue={(prompt) => change({ prompt })} />
      <div className="flex flex-wrap items-center gap-2">
        <FileButton
          label={t`Add an image`}
          accept="image/png,image/jpeg,image/webp"
          isSeveral
          onFiles={(files) => change({ images: [...draft.images, ...files], mask: null })}
        />
        <ul aria-label={t`Images`} className="flex flex-wrap gap-2 empty:hidden">
          {draft.images.map((image, index) => (
            <li key={`${index} ${image.name}`} className="flex items-center rounded-control border pl-2">
              <span className="max-w-40 truncate">{image.name}</span>
              <IconButton
                label={t`Remove ${image.name}`}
                onClick={() => change({ images: draft.images.filter((one) => one !== image), mask: null })}
              >
                <X aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      </div>
      {takesMask && first !== undefined && <MaskEditor image={first} onMask={(mask) => change({ mask })} />}
    </div>
  );
}

const Settings = ({ draft, change, models }: FormProps<EditsDraft>) => (
  <ImageSettings
    choices={draft}
    change={change}
    offers={models.flatMap(({ capabilities: { edits } }) => (edits === undefined ? [] : [edits]))}
  />
);

function build({ model, draft }: BuildContext<EditsDraft, readonly MadeImage[]>): ApiRequest {
  const { prompt, images, mask } = draft;
  const edits = model.capabilities.edits;
  const texts = given({
    model: model.id,
    prompt,
    ...chosenFields(draft, edits),
    response_format: 'b64_json',
  });
  const name = images.length > 1 ? 'image[]' : 'image';
  const hasMask = mask !== null && edits?.mask === true;
  const form: readonly FormPart[] = [
    ...Object.entries(texts).map(([field, value]): FormPart => [field, String(value)]),
    ...images.map((image): FormPart => [name, { file: image.name, type: image.type, bytes: image }]),
    ...(hasMask ? [['mask', { file: 'mask.png', type: 'image/png', bytes: mask }] satisfies FormPart] : []),
  ];
  const quote = { endpoint: 'images.edits', body: { ...texts, image: images.length, mask: hasMask } };
  return { method: 'POST', path: '/v1/images/edits', body: { form }, answer: 'json', quote };
}

/** Changes of images, with a mask that is drawn on the page. */
export const EDITS: Kind<EditsDraft, readonly MadeImage[]> = {
  isConversation: false,
  first: { prompt: '', images: [], mask: null, ...FIRST_CHOICES },
  isReady: ({ prompt, images }) => prompt.trim() !== '' && images.length > 0,
  build,
  start: [],
  read: readJson(imagesOf),
  Form,
  Settings,
  Result: Images,
};
