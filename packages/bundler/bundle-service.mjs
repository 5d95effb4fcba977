#!/usr/bin/env node
import { resolve } from 'node:path';
import { bundleProgram } from './bundle-program.mjs';

/* `bundle-service [folder]` bundles the compiled service in a folder, by default in this one. */
await bundleProgram(resolve(process.argv[2] ?? '.'));
