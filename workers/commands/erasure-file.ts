import { readFileSync } from 'node:fs';
import type { LedgerLine } from '../../activities/erasure/replay';
import { isUuid } from '../../entities/ids';
import { ledgerKinds } from '../../entities/rules/erasure/erasure';

/** What `erasures export` wrote. Throws, naming the line, for what is none of it. */
export function readErasureFile(file: string): LedgerLine[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((text, index) => {
    const line = JSON.parse(text) as LedgerLine;
    if (!ledgerKinds.includes(line.kind) || !isUuid(line.subjectId)) {
      throw new Error(`line ${index + 1} of ${file} is no erasure`);
    }
    return line;
  });
}
