import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';

const ledgerName = 'erasures.jsonl';
const auditName = /^audit-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z\.jsonl$/;

/** Lines of the shipped ledger of erasures; none where it was never shipped. */
export function ledgerLinesIn(folder: string): string[] {
  const file = path.join(folder, ledgerName);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

export function writeLedger(folder: string, lines: Iterable<string>): Promise<number> {
  return writeWhole(path.join(folder, ledgerName), lines);
}

/** The moments of the audit files of a folder, the oldest first. */
export function auditMomentsIn(folder: string): Date[] {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names.flatMap((name) => {
    const [, ...digits] = auditName.exec(name) ?? [];
    const [year, month, day, hour, minute, second] = digits;
    if (!year) return [];
    return [new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)];
  });
}

/** Writes a file of lines that were there at a moment; no file where there are none. Returns how many there are. */
export async function writeAudit(
  folder: string,
  moment: Date,
  lines: AsyncIterable<string>,
): Promise<number> {
  const count = await writeWhole(auditFile(folder, moment), lines);
  if (count === 0) removeAudit(folder, moment);
  return count;
}

export function removeAudit(folder: string, moment: Date): void {
  rmSync(auditFile(folder, moment), { force: true });
}

function auditFile(folder: string, moment: Date): string {
  return path.join(folder, `audit-${moment.toISOString().replaceAll(/[-:]/g, '')}.jsonl`);
}

/** A file is there as a whole or not at all, whatever dies meanwhile or writes it at the same time. */
async function writeWhole(
  file: string,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<number> {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}.draft`;
  const descriptor = openSync(draft, 'w', 0o600);
  let count = 0;
  try {
    for await (const line of lines) {
      appendFileSync(descriptor, `${line}\n`);
      count += 1;
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
  return count;
}
