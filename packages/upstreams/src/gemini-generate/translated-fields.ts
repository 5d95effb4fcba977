import { droppedExcept, type FieldTable } from '../field-table/field-table.js';
import { fields as passThrough } from './pass-through/fields.js';

/** The request is translated to the protocol of another vendor, so what that cannot express is not sent. */
export const fields: FieldTable = {
  ...passThrough,
  title: 'POST /v1beta/models/{model}:generateContent and :streamGenerateContent to a model of another vendor',
  fields: {
    ...passThrough.fields,
    safetySettings: droppedExcept('The other vendor has filters of its own.', []),
    'generationConfig.mediaResolution': droppedExcept(
      'The other vendor scales media itself.',
      'MEDIA_RESOLUTION_UNSPECIFIED',
    ),
    'generationConfig.enableEnhancedCivicAnswers': droppedExcept('The other vendor has no such answers.', false),
  },
};
