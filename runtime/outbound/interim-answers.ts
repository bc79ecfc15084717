import type { buildConnector } from 'undici';
import type { Socket } from 'node:net';

/** What is kept back of an answer's head, at most: whatever is longer is for the client to refuse. */
export const longestHead = 64 * 1_024;

/**
 * Hands an answer's head to the HTTP client as one that is strict can read it: without interim answers
 * before it (an unasked `100 Continue`), and with one Content-Length where it has the same twice.
 * Servers that send these are within the rules (RFC 9110, 15.2 and 8.6), and their 200 is a 200.
 */
export function forgivingConnector(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...[error, socket]: buildConnector.CallbackArgs) => {
      if (error) return callback(error, null);
      readForgivingly(socket);
      callback(null, socket);
    });
}

/** The client takes all there is by `read()`, and begins each request with a text. */
function readForgivingly(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...all: unknown[]) => boolean;
  let head: AnswerHead | undefined = new AnswerHead();

  socket.write = (chunk: unknown, ...rest: unknown[]): boolean => {
    if (typeof chunk === 'string') head = new AnswerHead();
    return write(chunk, ...rest);
  };
  socket.read = (size?: number): Buffer | null => {
    // Node itself reads nothing at times, to have the next bytes sent.
    if (size !== undefined) return read(size);
    for (;;) {
      const chunk = read();
      if (chunk === null || !head) return chunk;
      const whole = head.add(chunk);
      if (whole) head = undefined;
      if (whole) return whole;
    }
  };
}

/** The head of one answer, while it arrives. */
class AnswerHead {
  private kept: Buffer = Buffer.alloc(0);
  /** No head ends before this. */
  private searched = 0;

  /** All bytes until now, once the head is whole or too long; undefined before. */
  add(chunk: Buffer): Buffer | undefined {
    this.kept = this.kept.length === 0 ? chunk : Buffer.concat([this.kept, chunk]);
    let end = this.end();
    while (end !== undefined && isInterim(this.kept)) {
      this.kept = this.kept.subarray(end);
      this.searched = 0;
      end = this.end();
    }
    if (end === undefined) return this.kept.length < longestHead ? undefined : this.kept;
    const mended = withOneLength(this.kept.subarray(0, end));
    return mended ? Buffer.concat([mended, this.kept.subarray(end)]) : this.kept;
  }

  /** The place behind its empty line. */
  private end(): number | undefined {
    const unread = this.kept.subarray(this.searched).toString('latin1');
    const found = /\n\r?\n/.exec(unread);
    if (found) return this.searched + found.index + found[0].length;
    this.searched = Math.max(0, this.kept.length - 3);
    return undefined;
  }
}

/** 101 is none: it hands the connection over. */
function isInterim(bytes: Buffer): boolean {
  return /^HTTP\/1\.\d 1(?!01)\d\d/.test(bytes.subarray(0, 12).toString('latin1'));
}

const lengthLine = /^content-length[ \t]*:(.*)$/i;

/**
 * The head with its length once; undefined where there is nothing to mend, as in nearly all. Lengths that
 * contradict each other stay, and are refused.
 */
function withOneLength(head: Buffer): Buffer | undefined {
  const text = head.toString('latin1');
  const named = text.match(/^content-length.*$/gim) ?? [];
  if (named.length < 2 && !named[0]?.includes(',')) return undefined;

  const lines = text.split('\r\n');
  const told = lines.flatMap((line) => lengthLine.exec(line)?.[1]?.split(',') ?? []);
  const lengths = new Set(told.map((length) => length.trim()));
  if (told.length < 2 || lengths.size > 1) return undefined;
  const [status, ...fields] = lines.filter((line) => !lengthLine.test(line));
  const one = [status, `Content-Length: ${[...lengths].join('')}`, ...fields];
  return Buffer.from(one.join('\r\n'), 'latin1');
}
