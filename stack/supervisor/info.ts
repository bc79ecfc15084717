import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Demo } from '../demo/seed';

export const PROCESS_NAMES = ['api', 'worker', 'postgres', 'redis', 'temporal'] as const;
export type ProcessName = (typeof PROCESS_NAMES)[number];

/** What scripts and operators read; written when everything is ready, removed at a clean stop. */
export interface StackInfo {
  apiUrl: string;
  docsUrl: string;
  adminUrl: string;
  workerAdminUrl: string;
  temporalUiUrl: string | null;
  temporalAddress: string;
  mailUrl: string | null;
  databaseUrl: string;
  redisUrl: string;
  processes: Partial<Record<ProcessName, number>>;
  /** Null in production, where there is no demo. */
  demo: Demo | null;
}

export function infoFile(stackDir: string): string {
  return path.join(stackDir, 'info.json');
}

/** Replaced by rename, so that a reader never sees half of it. */
export function writeInfo(stackDir: string, info: StackInfo): void {
  const draft = `${infoFile(stackDir)}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, infoFile(stackDir));
}

export function removeInfo(stackDir: string): void {
  rmSync(infoFile(stackDir), { force: true });
}
