import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.join(__dirname, '../../..');

/** A program of Prometheus', where `npm run test:operate` found or put it. */
export function programOf(name: 'prometheus' | 'promtool'): string {
  const folder = process.env['PROMETHEUS_BIN'];
  if (folder === undefined)
    throw new Error('run it by npm run test:operate: PROMETHEUS_BIN is not set');
  return path.join(folder, name);
}

/** What promtool prints; throws with it when it fails. */
export async function promtool(...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(programOf('promtool'), args, { cwd: root });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${stdout}${stderr}` || String(error));
  }
}
