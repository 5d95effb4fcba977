export { Slab } from './slab.js';
export { SlabMap } from './slab-map.js';
