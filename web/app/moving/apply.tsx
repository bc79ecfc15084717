import type { ImportDto } from '../../session/records';
import { refused } from '../../session/refused';
import { useChange } from '../../session/use-session';
import { text } from '../../text/en';
import { moving as words } from '../../text/en/app/moving';
import { ActButton, ConfirmButton, FormButton } from '../../ui/ask';
import { parseMoney } from '../../ui/format';
import { AmountField } from '../../ui/form';
import { When } from '../../ui/values';
import { Progress } from './progress';
import { bookedOf } from './report';
import type { OfImport } from './use-import';

type Sum = NonNullable<ImportDto['report']>['money'][number];
type Expected = Pick<Sum, 'currency' | 'openCents' | 'paidCents'>;

/** Books what was checked, once its sums were typed back. */
export function Apply({ at, of }: OfImport) {
  switch (of.status) {
    case 'checked':
      return <Ask at={at} of={of} />;
    case 'applying':
      return (
        <>
          <Progress of={of} />
          <ConfirmButton
            label={words.stop}
            title={words.stopTitle}
            className="danger"
            call="imports.cancel"
            fields={at}
          >
            <p>{words.stopHint}</p>
          </ConfirmButton>
        </>
      );
    case 'stopped':
      return <GoOn at={at} of={of} />;
    default:
      return of.appliedAt === null ? (
        <p>{words.checkBefore}</p>
      ) : (
        <p>
          {words.applied} <When at={of.appliedAt} />.
        </p>
      );
  }
}

/** Currencies in which there is nothing need no typing. */
const sumsOf = ({ report }: ImportDto): Sum[] =>
  (report?.money ?? []).filter(({ openCents, paidCents }) => openCents !== 0 || paidCents !== 0);

function Ask({ at, of }: OfImport) {
  const apply = useChange('imports.apply');
  if (Date.parse(of.cutover) > Date.now()) return <p>{words.cutoverAhead}</p>;
  const sums = sumsOf(of);
  return (
    <>
      <p className="fine">{words.stale}</p>
      <FormButton
        label={words.apply}
        title={words.applyTitle(bookedOf(of))}
        className="primary"
        send={async (typed) =>
          apply.mutateAsync({
            ...at,
            expected: sums.map(({ currency }) => expectedOf(typed, currency)),
          })
        }
      >
        <p>{words.applyHint}</p>
        {sums.map(({ currency }) => (
          <div key={currency} className="pair">
            <AmountField
              label={words.openIn(currency.toUpperCase())}
              name={`open-${currency}`}
              currency={currency}
              autoComplete="off"
            />
            <AmountField
              label={words.paidIn(currency.toUpperCase())}
              name={`paid-${currency}`}
              currency={currency}
              autoComplete="off"
            />
          </div>
        ))}
      </FormButton>
    </>
  );
}

function expectedOf(typed: Record<string, string>, currency: string): Expected {
  const centsOf = (name: string): number => {
    const cents = parseMoney(typed[name] ?? '', currency);
    if (cents === undefined) throw refused(name, text.noAmount(currency));
    return cents;
  };
  return {
    currency,
    openCents: centsOf(`open-${currency}`),
    paidCents: centsOf(`paid-${currency}`),
  };
}

/** The sums were typed before it was stopped. */
function GoOn({ at, of }: OfImport) {
  const expected = sumsOf(of).map(({ currency, openCents, paidCents }) => {
    return { currency, openCents, paidCents };
  });
  return (
    <>
      <p>{words.stoppedHint}</p>
      <ActButton
        label={words.goOn}
        className="primary"
        call="imports.apply"
        fields={{ ...at, expected }}
      />
    </>
  );
}
