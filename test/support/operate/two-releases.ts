import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { claimAnyPort } from '../../../stack/parts/ports';
import { startService, type ServiceProcess } from '../stack/service-process';
import type { Backend } from './balancer';

const run = promisify(execFile);

export interface Fleet {
  /** Runs the deploy step of the release, while others go on. */
  deploy(checkout: string): Promise<void>;
  startApi(checkout: string): Promise<Api>;
  startWorker(checkout: string): Promise<ServiceProcess>;
}

export type Api = ServiceProcess & Backend;

/** Processes of whichever release, with one environment for all. */
export function fleetOf(environment: Record<string, string>, ownerUrl: string): Fleet {
  const env = async (): Promise<Record<string, string>> => ({
    ...environment,
    PORT: String(await claimAnyPort()),
    ADMIN_PORT: String(await claimAnyPort()),
  });
  return {
    async deploy(checkout) {
      const commands = path.join(checkout, 'dist/workers/commands');
      // Releases before aps had a file for each command.
      const own = path.join(commands, 'deploy.js');
      const command = existsSync(own) ? [own] : [path.join(commands, 'main.js'), 'migrate'];
      const env = { PATH: process.env['PATH'] ?? '', ...environment, DATABASE_OWNER_URL: ownerUrl };
      const attempt = () => run(process.execPath, command, { env });
      // A busy machine may not answer it in time; its job tries it again too.
      await attempt().catch((error: unknown) => {
        if (!String(error).includes('cannot be reached')) throw error;
        return attempt();
      });
    },
    async startApi(checkout) {
      const own = await env();
      const started = await startService('api/main.js', own, checkout);
      const [url, adminUrl] = ['PORT', 'ADMIN_PORT'].map((port) => `http://127.0.0.1:${own[port]}`);
      return { ...started, url: url ?? '', adminUrl: adminUrl ?? '' };
    },
    startWorker: async (checkout) => startService('workers/main.js', await env(), checkout),
  };
}
