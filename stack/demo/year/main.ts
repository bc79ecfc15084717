import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createDataSource } from '../../../entities/database/data-source';
import { infoFile, type StackInfo } from '../../supervisor/info';
import { seedYear } from './seed';

/** The year ends a little ago, so that its sales and what happens now cannot be mistaken. */
const distanceMs = 10 * 60_000;
const stackDir = process.env['STACK_DIR'] ?? '.stack';

/** `npm run demo:year`, beside a running `npm start`: a year of figures for its demo programme. */
async function main(): Promise<void> {
  const info = readInfo(path.resolve(stackDir));
  if (!info.demo) throw new Error('This stack has no demo.');
  const db = createDataSource({ url: info.databaseUrl, poolSize: 2, statementTimeoutMs: 0 });
  await db.initialize();
  const started = Date.now();
  const isNew = await seedYear(db.manager, {
    programId: info.demo.programId,
    end: new Date(started - distanceMs),
    clicks: 200_000,
    conversions: 6_000,
  });
  await db.destroy();
  const seconds = Math.round((Date.now() - started) / 1_000);
  console.log(isNew ? `A year of figures is there (${seconds} s).` : 'The year is there already.');
}

function readInfo(dir: string): StackInfo {
  try {
    return JSON.parse(readFileSync(infoFile(dir), 'utf8')) as StackInfo;
  } catch {
    throw new Error(`Nothing runs here: ${infoFile(dir)} is not there. Begin with npm start.`);
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
