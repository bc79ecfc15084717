import { pino, type Logger } from 'pino';

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
    },
    (output ??= openOutput()),
  );
}

type Output = ReturnType<typeof pino.destination>;

let output: Output | undefined;
const writtenAtBytes = 8_192;
const writtenEveryMs = 50;

/** Lines leave together: a write for each was the dearest part of a click. None is lost at exit. */
function openOutput(): Output {
  const opened = pino.destination({
    dest: 1,
    sync: true,
    minLength: writtenAtBytes,
    periodicFlush: writtenEveryMs,
  });
  process.once('exit', () => opened.flushSync());
  return opened;
}

/** An error without its parameters: drivers put the values of a query into their errors. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'a thrown value that is no Error' };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    message: error.message.slice(0, 300),
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    stack: error.stack?.split('\n').slice(1, 8).join('\n'),
    ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
  };
}
