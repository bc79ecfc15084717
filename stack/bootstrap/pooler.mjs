import { existsSync } from 'node:fs';
import { onPath } from './run.mjs';
import { installSystemPackage } from './system-packages.mjs';

/** Debian keeps it where only root's PATH leads. */
const isThere = () => onPath('pgbouncer') !== undefined || existsSync('/usr/sbin/pgbouncer');

export const poolerTask = {
  title: 'PgBouncer',
  async run(report) {
    if (isThere()) return 'found';
    const outcome = await installSystemPackage(['pgbouncer'], report);
    if (!isThere()) throw new Error('PgBouncer was installed, but pgbouncer is not on PATH.');
    return outcome;
  },
};
