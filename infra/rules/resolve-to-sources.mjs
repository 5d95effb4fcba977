import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';

const packages = existsSync('packages') ? readdirSync('packages') : [];

/** Read by dependency-cruiser alone, as the part of a webpack configuration that says where imports lead. */
export default {
  resolve: {
    alias: Object.fromEntries(packages.map((name) => [`@gateway/${name}$`, resolve('packages', name, 'src/index.ts')])),
  },
};
