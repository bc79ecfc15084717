import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createDatabase } from '../../../entities/database/database';
import { infoFile, type StackInfo } from '../../supervisor/info';
import { ensureViewer } from '../viewer';
import { seedHistory } from './seed';

/** The history ends a little ago, so that its sales and what happens now cannot be mistaken. */
const distanceMs = 10 * 60_000;
const perDay = { clicks: 550, conversions: 17 };
const stackDir = path.resolve(process.env['STACK_DIR'] ?? '.stack');

/**
 * `npm run demo`, beside a running `npm start`: two months of figures for its demo programme, or as
 * many days as `npm run demo -- 365` names, and a login that may only read.
 */
async function main(): Promise<void> {
  const days = daysOf(process.argv[2] ?? '60');
  const info = readInfo();
  if (!info.demo) throw new Error('This stack has no demo.');
  const db = createDatabase({ url: info.databaseUrl, poolSize: 2, statementTimeoutMs: 0 });
  const isNew = await seedHistory(db.manager, {
    programId: info.demo.programId,
    end: new Date(Date.now() - distanceMs),
    days,
    clicks: days * perDay.clicks,
    conversions: days * perDay.conversions,
  });
  await db.destroy();
  const service = { apiUrl: info.apiUrl, signal: AbortSignal.timeout(60_000) };
  const viewer = await ensureViewer({ ...service, stackDir });
  console.log(
    [
      isNew ? `${days} days of figures are there.` : 'The figures are there already.',
      `  Merchant          ${loginText(info.demo.merchant)}`,
      `  Merchant, reads   ${loginText(viewer)}`,
      `  Partner           ${loginText(info.demo.partner)}`,
    ].join('\n'),
  );
}

function loginText({ email, password }: { email: string; password: string }): string {
  return `${email} / ${password}`;
}

function daysOf(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 7 && days <= 365) return days;
  throw new Error('Days are a whole number from 7 to 365: npm run demo -- 60');
}

function readInfo(): StackInfo {
  try {
    return JSON.parse(readFileSync(infoFile(stackDir), 'utf8')) as StackInfo;
  } catch {
    throw new Error(`Nothing runs here: ${infoFile(stackDir)} is not there. Begin with npm start.`);
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
