import { Fragment } from 'react';

/** A name such as `webhook_secret.rotate`, which breaks only after a dot, a line or a slash. */
export const CodeWords = ({ text }: { readonly text: string }) =>
  text.split(/(?<=[._/])/).map((word, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {word}
    </Fragment>
  ));
