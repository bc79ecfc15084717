import { Core1700000000001 } from './0001-core';
import { Programs1700000000003 } from './0003-programs';
import { Clicks1700000000004 } from './0004-clicks';
import { Conversions1700000000005 } from './0005-conversions';
import { Commissions1700000000006 } from './0006-commissions';

/** In the order in which they run: by the number at the end of the class name. */
export const migrations = [
  Core1700000000001,
  Programs1700000000003,
  Clicks1700000000004,
  Conversions1700000000005,
  Commissions1700000000006,
];
