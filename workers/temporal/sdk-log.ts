interface Told {
  source: 'temporal';
  runId?: string;
  failure?: string;
  err?: Error;
}

/** Fields of what the SDK gives with a line of its log: which run, and why. The rest is about the SDK itself. */
export function fieldsOf({ runId, failure, error }: Record<string, unknown> = {}): Told {
  return {
    source: 'temporal',
    ...(typeof runId === 'string' ? { runId } : {}),
    ...(typeof failure === 'string' ? { failure: messageOf(failure) } : {}),
    ...(error instanceof Error ? { err: error } : {}),
  };
}

/** The core prints the whole failure as Rust does, with its stack. */
function messageOf(failure: string): string {
  const [, message] = /\bmessage: "((?:[^"\\]|\\.)*)"/.exec(failure) ?? [];
  return message ?? failure.slice(0, 300);
}
