import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';

const POLL_MS = 300;
const WARN = 40;
const LARGEST_LOG = 50 * 1024 * 1024;

/** Shows what a service logs at warn or above; everything else stays in its file. */
export function showWarnings(name: string, file: string): () => void {
  let position = sizeOf(file);
  const timer = setInterval(() => {
    const { text, end } = readFrom(file, position);
    position = end;
    for (const line of text.split('\n')) {
      const warning = warningIn(line);
      if (warning) console.log(`${name}: ${warning}`);
    }
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** One old log is kept, so that a stack that is used for months does not fill the disk. */
export function rotateLog(file: string): void {
  if (sizeOf(file) > LARGEST_LOG) renameSync(file, `${file}.1`);
}

/** Whole lines only: what follows the last line break is read the next time. */
function readFrom(file: string, position: number): { text: string; end: number } {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return { text: '', end: 0 };
  }
  try {
    const start = Math.min(position, fstatSync(descriptor).size);
    const buffer = Buffer.alloc(fstatSync(descriptor).size - start);
    readSync(descriptor, buffer, 0, buffer.length, start);
    const complete = buffer.subarray(0, buffer.lastIndexOf('\n') + 1);
    return { text: complete.toString('utf8'), end: start + complete.length };
  } finally {
    closeSync(descriptor);
  }
}

interface LogLine {
  level?: number | string;
  msg?: string;
  err?: { message?: string };
}

/** The gist of a line that a person should see; all of it stands in the file. */
export function warningIn(line: string): string | undefined {
  if (!line) return undefined;
  try {
    const { level, msg, err } = JSON.parse(line) as LogLine;
    const isWarning =
      typeof level === 'number' ? level >= WARN : /warn|error|fatal/i.test(level ?? '');
    return isWarning ? [`${level}`, msg, err?.message].filter(Boolean).join(': ') : undefined;
  } catch {
    // No JSON: a crash before logging works.
    return line;
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
