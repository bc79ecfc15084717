import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { claimAnyPort } from '../../../stack/parts/ports';
import { eventually } from '../eventually';

const root = path.join(__dirname, '../../..');

/** A program of Prometheus', where `npm run test:operate` found or put it. */
function programOf(name: 'prometheus' | 'promtool'): string {
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

/** Alarms as a Prometheus knows them at this moment. */
export interface FiringAlarm {
  labels: Record<string, string>;
  state: 'pending' | 'firing';
}

export interface RunningPrometheus {
  firing(): Promise<FiringAlarm[]>;
  stop(): Promise<void>;
}

/** One that scrapes each second, with our rules, which wait for a second instead of minutes. */
export async function startPrometheus(
  dir: string,
  targets: readonly string[],
): Promise<RunningPrometheus> {
  const rules = readFileSync(path.join(root, 'operate/alarms.yml'), 'utf8');
  writeFileSync(path.join(dir, 'alarms.yml'), rules.replace(/for: \d+m/g, 'for: 1s'));
  writeFileSync(
    path.join(dir, 'prometheus.yml'),
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: ['alarms.yml'],
      scrape_configs: [
        {
          job_name: 'affiliate',
          static_configs: [{ targets: targets.map((url) => new URL(url).host) }],
        },
      ],
    }),
  );
  const port = await claimAnyPort();
  const child = spawn(
    programOf('prometheus'),
    [
      `--config.file=${path.join(dir, 'prometheus.yml')}`,
      `--storage.tsdb.path=${path.join(dir, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const firing = async (): Promise<FiringAlarm[]> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`);
    const { data } = (await answer.json()) as { data: { alerts: FiringAlarm[] } };
    return data.alerts.filter(({ state }) => state === 'firing');
  };
  await eventually(() => firing().catch(() => undefined));
  return {
    firing,
    async stop() {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
