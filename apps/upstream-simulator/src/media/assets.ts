import { readFileSync } from 'node:fs';

/** A file of the `assets` folder, made by `assets/make-assets.sh`. The path is the same from `src` and from `dist`. */
export const readAsset = (name: string): Buffer => readFileSync(new URL(`../../assets/${name}`, import.meta.url));
