import { onPath } from './run.mjs';
import { installSystemPackage } from './system-packages.mjs';

const ADVICE =
  'Install Redis (the command redis-server must be on PATH) or set REDIS_URL, then try again.';

export const redisTask = {
  title: 'Redis',
  async run(report) {
    if (process.env.REDIS_URL) return 'the one at REDIS_URL';
    if (findServer()) return 'found';
    try {
      const outcome = await installSystemPackage(['redis-server', 'redis', 'valkey'], report);
      if (findServer()) return outcome;
    } catch (error) {
      throw new Error(`Redis could not be installed: ${error.message}\n${ADVICE}`);
    }
    throw new Error(`Redis was installed, but redis-server is not on PATH. ${ADVICE}`);
  },
};

function findServer() {
  return onPath('redis-server') ?? onPath('valkey-server');
}
