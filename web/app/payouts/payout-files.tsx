import { useState } from 'react';
import { useMay } from '../../session/use-session';
import { payouts as words } from '../../text/en/app/payouts';
import { ExportButton } from '../../ui/export-button';
import { Choice, Field } from '../../ui/form';
import { Section } from '../../ui/page';
import { Amounts } from '../../ui/values';
import type { Fields } from '../../session/operations';
import type { Payout } from '../../session/records';
import { sumsOf } from '../../ui/sums';

const formats = ['paypal', 'wise', 'generic'] as const;

/** What the last file said of itself. */
interface Told {
  leftOut: number;
  /** The part that comes after it. */
  next: string | undefined;
}

/** Files for whoever pays: one currency each, and in parts where the format holds so many rows. */
export function Files({ of: { id, items } }: { of: Payout }) {
  const ready = items.filter(({ status }) => status === 'ready');
  const currencies = [...new Set(ready.map(({ currency }) => currency))];
  const [chosen, setChosen] = useState<string>();
  const [sourceCurrency, setSource] = useState('');
  if (!useMay('admin')) return null;
  const currency = chosen ?? currencies[0];
  return (
    <Section title={words.steps.files}>
      <p>{words.filesHint}</p>
      {ready.length === 0 ? (
        <p className="empty">{words.nothingReady}</p>
      ) : (
        <>
          <div className="filters">
            {currencies.length > 1 && (
              <Choice
                label={words.currency}
                value={currency}
                onChange={({ target }) => setChosen(target.value)}
                options={currencies.map((one) => [one, one.toUpperCase()] as const)}
              />
            )}
            {inFile(ready, 'wise', currency).length > 0 && (
              <Field
                label={words.sourceCurrency}
                hint={words.sourceHint}
                value={sourceCurrency}
                maxLength={3}
                onChange={({ target }) => setSource(target.value)}
              />
            )}
          </div>
          <ul className="plain">
            {formats
              .map((format) => [format, inFile(ready, format, currency)] as const)
              .filter(([, held]) => held.length > 0)
              .map(([format, held]) => (
                <FileOf
                  key={`${format}${currency}`}
                  label={words.formats[format]}
                  held={held}
                  fields={{
                    ...{ id, format },
                    ...(currencies.length > 1 && { currency }),
                    ...(format === 'wise' &&
                      sourceCurrency !== '' && { sourceCurrency: sourceCurrency.toLowerCase() }),
                  }}
                />
              ))}
          </ul>
        </>
      )}
    </Section>
  );
}

/** What a file of this format holds: PayPal's and Wise's those of that method, the generic one all. */
function inFile(
  ready: Payout['items'],
  format: (typeof formats)[number],
  currency: string | undefined,
): Payout['items'] {
  return ready.filter(
    (item) => item.currency === currency && (format === 'generic' || item.method?.type === format),
  );
}

interface FileProps {
  label: string;
  /** The items that it holds. */
  held: Payout['items'];
  fields: Fields<'payouts.getFile'>;
}

function FileOf({ label, held, fields }: FileProps) {
  const [told, setTold] = useState<Told>();
  const read = (response: Response): void =>
    setTold({
      leftOut: Number(response.headers.get('X-Items-Left-Out') ?? 0),
      next: /[?&]part=(\d+)[^>]*>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1],
    });
  return (
    <li className="inline-actions">
      <ExportButton call="payouts.getFile" fields={fields} label={label} onFile={read} />
      <span className="fine">
        {words.holds(held.length)} <Amounts of={sumsOf(held)} />
      </span>
      {told?.next && (
        <ExportButton
          call="payouts.getFile"
          fields={{ ...fields, part: Number(told.next) }}
          label={words.part(label, told.next)}
          onFile={read}
        />
      )}
      <span role="status">{told && told.leftOut > 0 && words.otherMethods(told.leftOut)}</span>
    </li>
  );
}
