import { useChange } from '../../session/use-session';
import { text } from '../../text/en';
import { moving as words } from '../../text/en/app/moving';
import { FormButton } from '../../ui/ask';
import { Field } from '../../ui/form';
import { Facts, When } from '../../ui/values';
import { Cutover, Grouping, groupByOf } from './begin';
import { cutoverOf, namesOf, typedMoment } from './moment';
import { isOpen, takesChanges, type OfImport } from './use-import';

/** Where it comes from, and where the cut is. */
export function Takes({ at, of }: OfImport) {
  const { source, name, cutover, currency, only, groupBy } = of;
  return (
    <>
      <Facts
        of={[
          [words.from, words.sources[source]],
          [words.name, name],
          [words.cutover, <When key="cutover" at={cutover} />],
          [words.currency, currency.toUpperCase()],
          [words.groupBy, words.groupings[groupBy ?? 'none']],
          ...(source === 'csv' ? [] : [[words.only, only?.join(', ') ?? text.all] as const]),
        ]}
      />
      {isOpen(of) && <p className="fine">{words.keptFor}</p>}
      {takesChanges(of) && <Change at={at} of={of} />}
    </>
  );
}

function Change({ at, of: { source, cutover, currency, only, groupBy } }: OfImport) {
  const change = useChange('imports.change');
  const send = (typed: Record<string, string>): Promise<unknown> => {
    return change.mutateAsync({
      ...at,
      cutover: cutoverOf(typed['cutover']),
      currency: typed['currency']?.toLowerCase(),
      groupBy: groupByOf(typed['groupBy']),
      ...(source !== 'csv' && { only: namesOf(typed['only']) ?? null }),
    });
  };
  return (
    <FormButton label={words.change} title={words.changeTitle} submit={text.save} send={send}>
      <Grouping defaultValue={groupBy} />
      <Cutover defaultValue={typedMoment(cutover)} />
      <Field
        label={words.currency}
        name="currency"
        maxLength={3}
        defaultValue={currency.toUpperCase()}
        hint={words.currencyHint}
      />
      {source !== 'csv' && (
        <Field
          label={words.only}
          name="only"
          defaultValue={only?.join(', ')}
          hint={words.onlyHint}
        />
      )}
    </FormButton>
  );
}
