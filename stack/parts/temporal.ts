import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { searchAttributeNames } from '../../runtime/temporal/messages';
import { findTemporal } from './binaries';
import { launch, type ProcessSpec, type RunningProcess } from './process';
import { isNamespaceReady } from '../../workers/temporal/namespace';
import type { TemporalOnPostgresOptions } from './temporal-on-postgres';

export interface TemporalOptions {
  dir: string;
  port: number;
  namespace: string;
  /** Without a port there is no web page. */
  uiPort?: number;
  /** True for data in a file, so that open workflows go on after a restart; else it is in memory. */
  persistent?: boolean;
}

export interface TemporalSetup {
  address: string;
  /** Null where there is no web page. */
  uiUrl: string | null;
  spec: ProcessSpec;
}

/** The development server; the one of a fleet where TEMPORAL_SERVER_HOME says where it lies. */
export function setUpTemporal(options: TemporalOptions): TemporalSetup {
  const address = `127.0.0.1:${options.port}`;
  mkdirSync(options.dir, { recursive: true });
  const home = process.env['TEMPORAL_SERVER_HOME'];
  const common = { name: 'temporal', logFile: path.join(options.dir, 'temporal.log') };
  if (home) return { address, uiUrl: null, spec: { ...common, ...onPostgres(options, home) } };
  const uiUrl = options.uiPort ? `http://127.0.0.1:${options.uiPort}` : null;
  return { address, uiUrl, spec: { ...common, ...inDevelopment(options, address) } };
}

type Server = Omit<ProcessSpec, 'name' | 'logFile'>;

function inDevelopment(options: TemporalOptions, address: string): Server {
  return {
    command: findTemporal(),
    args: ['server', 'start-dev', ...flags(options)],
    // Its own configuration files and variables are for the operator's terminal, not for this server.
    env: { PATH: process.env['PATH'], HOME: options.dir },
    isReady: () => isNamespaceReady(address, options.namespace),
  };
}

/** It has no namespace by itself, so that it counts as ready once one was made. */
function onPostgres({ dir, port, namespace, persistent }: TemporalOptions, home: string): Server {
  const readyFile = path.join(dir, 'temporal.ready');
  const told: TemporalOnPostgresOptions = {
    ...{ home, dir, port, namespace, readyFile },
    persistent: persistent === true,
  };
  return {
    command: process.execPath,
    args: [builtScript('temporal-on-postgres.js'), JSON.stringify(told)],
    isReady: (pid) => Promise.resolve(holds(readyFile, String(pid))),
    readyTimeoutMs: 180_000,
    stopTimeoutMs: 20_000,
  };
}

/** A script that is beside this file once that is built; a test runs this file from its source. */
function builtScript(name: string): string {
  const built = __filename.endsWith('.ts') ? '../../dist/stack/parts' : '.';
  return path.join(__dirname, built, name);
}

function holds(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8') === text;
  } catch {
    return false;
  }
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
