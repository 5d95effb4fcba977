import { dirname, relative } from 'node:path';

/** Begins each file of the bundle: where a module was, seen from there. No module has such names. */
export const PLACES = `import { createRequire as bundle$requireAt } from 'node:module';
import { join as bundle$join } from 'node:path';
import { pathToFileURL as bundle$urlOf } from 'node:url';
const bundle$placeOf = (path) => bundle$join(import.meta.dirname, path);
const bundle$resolveAt = (path, id) => bundle$urlOf(bundle$requireAt(bundle$placeOf(path)).resolve(id)).href;`;

/** What a module says of its own place, and the same in the bundle. */
const WORDS = [
  { word: /\bimport\.meta\.url\b/g, inBundle: ({ file }) => `bundle$urlOf(bundle$placeOf(${file})).href` },
  { word: /\bimport\.meta\.filename\b/g, inBundle: ({ file }) => `bundle$placeOf(${file})` },
  { word: /\bimport\.meta\.dirname\b/g, inBundle: ({ folder }) => `bundle$placeOf(${folder})` },
  { word: /\bimport\.meta\.resolve\(/g, inBundle: ({ file }) => `bundle$resolveAt(${file}, ` },
  { word: /(?<![\w$.])__filename\b/g, inBundle: ({ file }) => `bundle$placeOf(${file})`, declared: /\b__filename =/ },
  { word: /(?<![\w$.])__dirname\b/g, inBundle: ({ folder }) => `bundle$placeOf(${folder})`, declared: /\b__dirname =/ },
];

/**
 * Lets each module find what lies beside its own file: scripts, threads, native code, assets. So the same tree of files
 * must be where the bundle runs. `folder` is the bundle's.
 */
export function keepPlaces(folder) {
  const seenFromBundle = (path) => JSON.stringify(relative(folder, path));
  return {
    name: 'keep-places',
    load: {
      filter: { id: /\.node$/ },
      handler: (id) => `module.exports = bundle$requireAt(bundle$placeOf('.'))(bundle$placeOf(${seenFromBundle(id)}));`,
    },
    transform: {
      filter: { code: /import\.meta\.|__dirname|__filename/ },
      handler(code, id) {
        const places = { file: seenFromBundle(id), folder: seenFromBundle(dirname(id)) };
        const say = (text, { word, inBundle, declared }) =>
          declared?.test(code) === true ? text : text.replace(word, () => inBundle(places));
        // No line moves, so the map stays.
        return { code: WORDS.reduce(say, code), map: null };
      },
    },
  };
}
