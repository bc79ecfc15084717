import { pino, type Logger } from 'pino';
import { trailOfNow } from './trail';

export type { Logger };

/** One JSON line per event on standard output. Ids and codes only: no address, key, mail or body. */
export function createLogger(options: { level: string; process: string }): Logger {
  return pino(
    {
      level: options.level,
      base: { process: options.process, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      mixin: () => ({ ...trailOfNow() }),
    },
    (output ??= openOutput()),
  );
}

interface Output {
  write(line: string): void;
}

let output: Output | undefined;

/**
 * Lines leave together: a write for each cost more than any other part of a click. They are gathered here,
 * for the library's own buffer measures all that it holds at each line. None is lost at exit.
 */
function openOutput(): Output {
  const opened = pino.destination({ dest: 1, sync: true });
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length === 0) return;
    const text = lines.join('');
    lines = [];
    opened.write(text);
  };
  setInterval(flush, 50).unref();
  process.once('exit', () => {
    flush();
    opened.flushSync();
  });
  return {
    write: (line) => void lines.push(line),
  };
}

/** An error without its parameters: drivers put the values of a query into their errors. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'a thrown value that is no Error' };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    message: messageOf(error),
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    // The lines of a long message stand there as well.
    stack: error.stack?.split('\n').filter(isFrame).slice(0, 7).join('\n'),
    ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
  };
}

const isFrame = (line: string): boolean => /^\s+at /.test(line);

/** Parsers, and Postgres where a value does not fit its type, quote the value in their messages. */
function messageOf(error: Error): string {
  const { code } = error as { code?: unknown };
  const isAboutValue = error instanceof SyntaxError || /^22[0-9A-Z]{3}$/.test(String(code));
  return isAboutValue ? 'a value could not be read' : error.message.slice(0, 300);
}
