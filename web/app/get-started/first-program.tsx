import { useAccount, useChange, useMay, useMode } from '../../session/use-session';
import { refused } from '../../session/refused';
import { text } from '../../text/en';
import { getStarted as words } from '../../text/en/app/get-started';
import { programme as programmeWords } from '../../text/en/app/programme';
import { optionsOf, parsePercent } from '../../ui/format';
import { Choice, Field, Form } from '../../ui/form';
import { recommendedRules } from '../programme/fraud-rules';
import { practiceEmail, useDemoShop } from './practice';
import type { Program } from '../../session/records';

/** Four fields; all else of a programme is changed on its own page. */
export function FirstProgram() {
  const create = useChange('programmes.create');
  const setRules = useChange('fraud.updateRules');
  const addPractice = useAddPractice();
  const mode = useMode();
  const shop = useDemoShop();
  if (!useMay('admin')) return <p>{text.notAllowed}</p>;
  const submit = async ({
    name = '',
    websiteUrl = '',
    commission = '',
    currency = '',
    renewals,
  }: Record<string, string>) => {
    const rateBps = parsePercent(commission);
    if (rateBps === undefined) throw refused('commission', text.noPercent);
    const program = await create.mutateAsync({
      ...{ name, websiteUrl, currency: currency.toLowerCase() },
      commission: { type: 'percentage', rateBps, recurring: renewals === 'always' },
    });
    await setRules.mutateAsync({ programId: program.id, rules: recommendedRules });
    if (mode === 'test') await addPractice(program);
  };
  return (
    <Form submit={words.createProgram} onSubmit={submit}>
      <Field label={words.programName} name="name" />
      <Field
        label={words.website}
        name="websiteUrl"
        type="url"
        placeholder="https://"
        defaultValue={shop}
        hint={shop && words.demoShop}
      />
      <Field
        label={words.commission}
        name="commission"
        inputMode="decimal"
        defaultValue="20"
        hint={words.commissionHint}
      />
      <Choice
        label={programmeWords.renewals}
        name="renewals"
        defaultValue="none"
        options={optionsOf(['none', 'always'], programmeWords.renewalKinds)}
        hint={words.renewalsHint}
      />
      <Field
        label={programmeWords.currency}
        name="currency"
        maxLength={3}
        defaultValue="USD"
        hint={words.currencyHint}
      />
    </Form>
  );
}

/** A partner to practise with: approved at once, with a link of its own. */
export function useAddPractice(): (program: Program) => Promise<unknown> {
  const add = useChange('partners.add');
  const workspaceId = useAccount()?.workspaceId ?? '';
  const person = { email: practiceEmail(workspaceId), name: words.practiceName };
  return ({ id }) => add.mutateAsync({ programId: id, ...person });
}
