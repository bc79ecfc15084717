import { useAccount, useChange, useMay, useMode } from '../../session/use-session';
import { refused } from '../../session/refused';
import { text } from '../../text/en';
import { parsePercent } from '../../ui/format';
import { Field, Form } from '../../ui/plain-form';
import { recommendedRules } from '../programme/fraud-rules';
import { practiceEmail, useDemoShop } from './practice';
import type { Program } from '../../session/records';

const words = text.app.getStarted;

/** Four fields; all else of a programme is changed on its own page. */
export function FirstProgram() {
  const change = useChange<Program>();
  const rules = useChange();
  const addPractice = useAddPractice();
  const mode = useMode();
  const shop = useDemoShop();
  if (!useMay('admin')) return <p>{text.notAllowed}</p>;
  const submit = async ({
    name,
    websiteUrl,
    commission = '',
    currency = '',
  }: Record<string, string>) => {
    const rateBps = parsePercent(commission);
    if (rateBps === undefined) throw refused('commission', text.noPercent);
    const terms = { commission: { type: 'percentage', rateBps }, currency: currency.toLowerCase() };
    const body = { name, websiteUrl, ...terms };
    const program = await change.mutateAsync({ path: '/api/v1/programs', method: 'POST', body });
    const path = `/api/v1/programs/${program.id}/fraud-rules`;
    await rules.mutateAsync({ path, method: 'PUT', body: { rules: recommendedRules } });
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
      <Field
        label={text.app.programme.currency}
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
  const change = useChange();
  const workspaceId = useAccount()?.workspaceId ?? '';
  return ({ id }) =>
    change.mutateAsync({
      path: `/api/v1/programs/${id}/partners`,
      method: 'POST',
      body: { email: practiceEmail(workspaceId), name: words.practiceName },
    });
}
