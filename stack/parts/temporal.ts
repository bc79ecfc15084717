import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { searchAttributeNames } from '../../workflows/messages';
import { findTemporal } from './binaries';
import { launch, type ProcessSpec, type RunningProcess } from './process';
import { isNamespaceReady } from '../../workers/temporal/namespace';

export interface TemporalOptions {
  dir: string;
  port: number;
  namespace: string;
  /** Without a port there is no web page. */
  uiPort?: number;
  /** Kept in a file, so that open workflows go on after a restart; else in memory. */
  persistent?: boolean;
}

export interface TemporalSetup {
  address: string;
  spec: ProcessSpec;
}

export function setUpTemporal(options: TemporalOptions): TemporalSetup {
  const address = `127.0.0.1:${options.port}`;
  mkdirSync(options.dir, { recursive: true });
  return {
    address,
    spec: {
      name: 'temporal',
      command: findTemporal(),
      args: ['server', 'start-dev', ...flags(options)],
      // Its own configuration files and variables are for the operator's terminal, not for this server.
      env: { PATH: process.env['PATH'], HOME: options.dir },
      logFile: path.join(options.dir, 'temporal.log'),
      isReady: () => isNamespaceReady(address, options.namespace),
    },
  };
}

export async function startTemporal(
  options: TemporalOptions,
): Promise<RunningProcess & { address: string }> {
  const { address, spec } = setUpTemporal(options);
  return { ...(await launch(spec)), address };
}

function flags(options: TemporalOptions): string[] {
  const attributes = searchAttributeNames.flatMap((name) => [
    '--search-attribute',
    `${name}=Keyword`,
  ]);
  const page = options.uiPort ? ['--ui-port', String(options.uiPort)] : ['--headless'];
  const file = path.join(options.dir, 'temporal.db');
  return [
    ...['--ip', '127.0.0.1', '--port', String(options.port), ...page],
    ...['--namespace', options.namespace, ...attributes],
    ...['--log-format', 'json', '--log-level', 'warn'],
    ...(options.persistent ? ['--db-filename', file] : []),
  ];
}
