import { randomUUID } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findPostgresHome } from './binaries';
import type { ProcessOwner } from './process';
import { canReach } from './service-user';

const SHARED_ROOTS = ['/var/lib', os.tmpdir()];
const SHARED_NAME = 'affiliate-programme-service';
const POINTER = 'postgres-data';

/** Binaries that the server's user can run: those of node_modules, or a copy when it cannot get there. */
export function reachableBinaries(owner: ProcessOwner | undefined): string {
  const home = findPostgresHome();
  if (!owner || canReach(owner, path.join(home, 'bin'))) return withLibraryLinks(home);
  const copy = path.join(sharedFolder(), `postgres-${packageVersion(home)}`);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${randomUUID()}`;
  cpSync(withLibraryLinks(home), unfinished, { recursive: true, verbatimSymlinks: true });
  renameSync(unfinished, copy);
  return copy;
}

/**
 * Where the data of this stack lies: below its own folder, or, when the server's user cannot get in
 * there, in a folder of its own elsewhere that the stack's folder points to.
 */
export function dataFolder(stackDir: string, owner: ProcessOwner | undefined): string {
  const pointer = path.join(stackDir, POINTER);
  if (existsSync(pointer)) return readFileSync(pointer, 'utf8');
  const inside = path.join(stackDir, 'postgres');
  mkdirSync(inside, { recursive: true });
  if (owner) chownSync(inside, owner.uid, owner.gid);
  if (!owner || canReach(owner, inside)) return inside;

  dropOrphans();
  const outside = path.join(sharedFolder(), 'data', randomUUID());
  mkdirSync(outside, { recursive: true });
  writeFileSync(path.join(outside, 'owner'), pointer);
  chownSync(outside, owner.uid, owner.gid);
  writeFileSync(pointer, outside);
  return outside;
}

/** A deleted checkout, or a deleted stack folder, leaves data elsewhere that nothing points to. */
function dropOrphans(): void {
  const folder = path.join(sharedFolder(), 'data');
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const data = path.join(folder, name);
    // A young one may be about to get its pointer.
    const isOld = Date.now() - statSync(data).ctimeMs > 3_600_000;
    if (isOld && !isPointedTo(data)) rmSync(data, { recursive: true, force: true });
  }
}

function isPointedTo(data: string): boolean {
  try {
    return readFileSync(readFileSync(path.join(data, 'owner'), 'utf8'), 'utf8') === data;
  } catch {
    return false;
  }
}

function sharedFolder(): string {
  for (const root of SHARED_ROOTS) {
    try {
      const folder = path.join(root, SHARED_NAME);
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      return folder;
    } catch {
      // Read-only there: the next one.
    }
  }
  throw new Error(`Neither ${SHARED_ROOTS.join(' nor ')} can be written to.`);
}

interface LibraryLink {
  source: string;
  target: string;
}

/** The package restores its library links in an install script, which a careful npm setting skips. */
function withLibraryLinks(home: string): string {
  const list = path.join(home, 'pg-symlinks.json');
  if (!existsSync(list)) return home;
  const links = JSON.parse(readFileSync(list, 'utf8')) as LibraryLink[];
  for (const { source, target } of links) {
    const link = path.join(path.dirname(home), target);
    if (existsSync(link)) continue;
    symlinkSync(path.relative(path.dirname(target), source), link);
  }
  return home;
}

function packageVersion(home: string): string {
  const manifest: unknown = JSON.parse(
    readFileSync(path.join(path.dirname(home), 'package.json'), 'utf8'),
  );
  return (manifest as { version: string }).version;
}
