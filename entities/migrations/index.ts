import { Baseline1700000000001 } from './0001-baseline';

/** In the order in which they run: by the number at the end of the class name. */
export const migrations = [Baseline1700000000001];
