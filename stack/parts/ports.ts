import { mkdirSync, readFileSync, unlinkSync, writeFileSync, chmodSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { isSameProcess, startOf } from './identity';

// A port that is free now may be picked by another checkout before its server listens, so a pick is also
// written down where every checkout on this machine sees it.
const CLAIMS = path.join(os.tmpdir(), 'affiliate-programme-ports');
const HIGHEST = 32_767;
const claimed = new Set<number>();

/** The preferred port, or the next one, by steps, that is free and that no other checkout has claimed. */
export async function claimPort(preferred: number, step = 1): Promise<number> {
  for (let port = preferred; port <= HIGHEST; port += step) {
    if (await tryClaim(port)) return port;
  }
  throw new Error(`No free port between ${preferred} and ${HIGHEST}.`);
}

/** Any free port, below the range from which the kernel gives ports to clients. */
export async function claimAnyPort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000);
    if (await tryClaim(port)) return port;
  }
}

export async function isPortFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port));
}

export function releasePorts(): void {
  for (const port of claimed) removeClaim(port);
  claimed.clear();
}

async function tryClaim(port: number): Promise<boolean> {
  if (!(await isPortFree(port)) || !writeClaim(port)) return false;
  if (claimed.size === 0) process.once('exit', releasePorts);
  claimed.add(port);
  return true;
}

function canListen(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, ...(host && { host }), exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}

function writeClaim(port: number): boolean {
  prepareClaims();
  const file = path.join(CLAIMS, String(port));
  if (isHeldByAnother(file)) return false;
  try {
    writeFileSync(file, `${process.pid} ${startOf(process.pid)}`, { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

function prepareClaims(): void {
  mkdirSync(CLAIMS, { recursive: true });
  try {
    // Other users of this machine claim their ports in the same place.
    chmodSync(CLAIMS, 0o1777);
  } catch {
    // Theirs already.
  }
}

function isHeldByAnother(file: string): boolean {
  try {
    const [pid, start] = readFileSync(file, 'utf8').split(' ');
    if (isSameProcess(Number(pid), start)) return true;
    unlinkSync(file);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

function removeClaim(port: number): void {
  try {
    unlinkSync(path.join(CLAIMS, String(port)));
  } catch {
    // Gone already.
  }
}
