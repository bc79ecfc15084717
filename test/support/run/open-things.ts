const OPEN = Symbol.for('affiliate.test.open');
let count = 0;

/** What a suite has opened and not closed yet, by name; kept where suite and environment meet. */
export function openThings(scope: object = globalThis): Set<string> {
  const holder = scope as { [OPEN]?: Set<string> };
  return (holder[OPEN] ??= new Set());
}

/** Says that something is open until the answer is called. */
export function opened(kind: string): () => void {
  const things = openThings();
  count += 1;
  const name = `${kind} ${count}`;
  things.add(name);
  return () => things.delete(name);
}
