import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Check, Copy } from 'lucide-react';
import { text } from '../text/en';
import { formatTime, inWords, moneyParts } from './format';

export interface Amount {
  currency: string;
  amountCents: number;
}

/** A dash where there is no currency, as of a sign-up that cost nothing. */
export function Money({ cents, currency }: { cents: number; currency: string | null }) {
  if (currency === null) return <span className="money">{text.nothing}</span>;
  return (
    <span className="money">
      {moneyParts(cents, currency).map(({ type, value }, at) =>
        type === 'currency' ? (
          <span key={at} className="currency">
            {value}
          </span>
        ) : (
          value
        ),
      )}
    </span>
  );
}

/** One amount a currency, or a dash. */
export function Amounts({ of }: { of: readonly Amount[] }) {
  if (of.length === 0) return <span className="money">{text.nothing}</span>;
  return (
    <span className="amounts">
      {of.map(({ currency, amountCents }) => (
        <Money key={currency} cents={amountCents} currency={currency} />
      ))}
    </span>
  );
}

export function When({ at }: { at: string | null | undefined }) {
  if (!at) return <>{text.nothing}</>;
  return <time dateTime={at}>{formatTime(at)}</time>;
}

const tones: Record<string, string> = {
  approved: 'good',
  active: 'good',
  paid: 'good',
  completed: 'good',
  accepted: 'good',
  succeeded: 'good',
  delivered: 'good',
  processed: 'good',
  connected: 'good',
  made: 'good',
  applied: 'good',
  reading: 'waiting',
  applying: 'waiting',
  undoing: 'waiting',
  stopped: 'waiting',
  checked: 'told',
  pending: 'waiting',
  processing: 'waiting',
  ready: 'waiting',
  sending: 'waiting',
  trying: 'waiting',
  attention: 'bad',
  retrying: 'waiting',
  waiting: 'waiting',
  invited: 'waiting',
  received: 'waiting',
  rejected: 'bad',
  failed: 'bad',
  returned: 'bad',
  suspended: 'bad',
  dead_letter: 'bad',
  needs_review: 'told',
  not_claimed: 'told',
};

/** A status in its own words, unless others are given. */
export function Badge({ status, of = inWords(status) }: { status: string; of?: string }) {
  return <span className={`badge ${tones[status] ?? 'neutral'}`}>{of}</span>;
}

const hues = 6;

/** Somebody or something by the first letters of its name; the name itself stands beside. */
export function Avatar({ name, isLarge = false }: { name: string; isLarge?: boolean }) {
  const words = name.trim().split(/\s+/u);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map(
    (word = '') => [...word][0] ?? '',
  );
  const hue = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % hues;
  return (
    <span
      className={`avatar hue-${hue}${isLarge ? ' large' : ''}`}
      data-letters={letters.join('').toUpperCase()}
    />
  );
}

/** Text to take along: a key, a link, a script tag. */
export function Copyable({ value, label }: { value: string; label?: string }) {
  const [said, setSaid] = useState<string>();
  const code = useRef<HTMLElement>(null);
  useEffect(() => {
    if (said === undefined) return undefined;
    const timer = setTimeout(() => setSaid(undefined), 2_500);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      setSaid(text.copied);
    } catch {
      // Browsers refuse it, or have no clipboard on a page without https.
      if (code.current) window.getSelection()?.selectAllChildren(code.current);
      setSaid(text.copyByHand);
    }
  };
  return (
    <span className="copyable">
      <code ref={code}>{value}</code>
      <button type="button" className="quiet" onClick={() => void copy()} aria-label={label}>
        {said === text.copied ? <Check size={14} /> : <Copy size={14} />}
        {said === text.copied ? text.copied : text.copy}
      </button>
      <span role="status" className={said === text.copyByHand ? 'fine' : 'unseen'}>
        {said}
      </span>
    </span>
  );
}

/** A secret that is shown once: whoever goes on has kept it. */
export function ShownOnce({
  value,
  hint,
  onSeen,
}: {
  value: string;
  hint: string;
  onSeen: () => void;
}) {
  return (
    <>
      <p>{hint}</p>
      <Copyable value={value} />
      <div className="form-end">
        <button type="button" className="primary" onClick={onSeen}>
          {text.keys.seen}
        </button>
      </div>
    </>
  );
}

/** What rows that are amounts have at their end. */
export const amountColumn = {
  title: text.amount,
  isNumber: true,
  cell: ({ amountCents, currency }: Amount) => <Money cents={amountCents} currency={currency} />,
};

/** A name or an id that may be longer than its place: cut with three dots, whole where the mouse is. */
export function Long({ of, isCode = false }: { of: string; isCode?: boolean }) {
  const As = isCode ? 'code' : 'span';
  return (
    <As className="long" title={of}>
      {of}
    </As>
  );
}

const isSaid = (value: ReactNode): boolean =>
  value !== null &&
  value !== undefined &&
  value !== false &&
  value !== '' &&
  value !== text.nothing;

/** Names and values of one record; what is not known of it is left out. */
export function Facts({ of }: { of: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {of
        .filter(([, value]) => isSaid(value))
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
