import type { ImportDto } from '../../session/records';
import { moving as words } from '../../text/en/app/moving';
import { formatCount } from '../../ui/format';

/** How far it has come, in words and as a bar. */
export function Progress({ of: { progress } }: { of: ImportDto }) {
  const { step = '', done = 0, total = null } = progress ?? {};
  const known = total !== null && total > 0;
  return (
    <>
      <p role="status">
        {stepInWords(step)}
        {done > 0 &&
          ` ${known ? words.doneOf(formatCount(done), formatCount(total)) : formatCount(done)}`}
      </p>
      <progress
        aria-label={words.progress}
        {...(known && { max: total, value: Math.min(done, total) })}
      />
    </>
  );
}

/** Steps as the API names them: `customers`, `check customers`. */
function stepInWords(step: string): string {
  const compared = /^check (.+)$/.exec(step)?.[1];
  const kinds: Record<string, string> = words.kinds;
  if (compared) return words.comparing(kinds[compared] ?? compared);
  return words.steps[step] ?? words.steps['clear'] ?? step;
}
