import { useState } from 'react';
import { useChange } from '../../session/use-session';
import { text } from '../../text/en';
import { optionsOf, typedMoney } from '../../ui/format';
import { Area, Choice, Field, Form } from '../../ui/form';
import { EarningFields } from './earning-fields';
import { recommendedRules } from './fraud-rules';
import { earningOf, listOf, moneyOrNull } from './terms';
import type { Program } from '../../session/records';

const words = text.app.programme;

type Typed = Record<string, string>;

interface FormProps {
  /** The one that changes; none makes a new one. */
  program?: Program;
  onDone: (program: Program) => void;
}

/** All that a programme is, to make one or to change it. */
export function ProgramForm({ program, onDone }: FormProps) {
  const change = useChange<Program>();
  const rules = useChange();
  const submit = async (typed: Typed): Promise<void> => {
    const path = program ? `/api/v1/programs/${program.id}` : '/api/v1/programs';
    const method = program ? 'PATCH' : 'POST';
    const done = await change.mutateAsync({ path, method, body: bodyOf(typed) });
    if (!program) {
      const rulesPath = `/api/v1/programs/${done.id}/fraud-rules`;
      await rules.mutateAsync({
        path: rulesPath,
        method: 'PUT',
        body: { rules: recommendedRules },
      });
    }
    onDone(done);
  };
  return (
    <Form submit={program ? text.save : words.create} onSubmit={submit}>
      <Who program={program} />
      <Earns program={program} />
      <WhoMay program={program} />
    </Form>
  );
}

function bodyOf(typed: Typed): object {
  const currency = (typed['currency'] ?? 'usd').trim().toLowerCase();
  const { name, websiteUrl, description, status, approvalMode, salesFrom } = typed;
  const recurring = typed['renewals'] !== 'none';
  const months = typed['renewals'] === 'months' ? Number(typed['recurringMonths']) : null;
  const accepted = listOf(typed['acceptedCurrencies'] ?? '').map((code) => code.toLowerCase());
  return {
    ...{ name, websiteUrl, status, approvalMode, salesFrom, currency },
    description: description === '' ? null : description,
    bannedSources: (typed['bannedSources'] ?? '').split(/\s+/).filter((host) => host !== ''),
    publicApplications: typed['publicApplications'] === 'true',
    attributionWindowDays: Number(typed['attributionWindowDays']),
    holdDays: Number(typed['holdDays']),
    autoApprove: typed['autoApprove'] === 'true',
    acceptedCurrencies: accepted,
    reviewAboveCents: moneyOrNull(typed['reviewAbove'] ?? '', currency, 'reviewAboveCents'),
    minPayoutCents: moneyOrNull(typed['minPayout'] ?? '', currency, 'minPayoutCents') ?? 0,
    commission: {
      ...earningOf(typed, currency, 'commission'),
      recurring,
      ...(months !== null && { recurringMonths: months }),
    },
  };
}

interface PartProps {
  program: Program | undefined;
}

function Who({ program }: PartProps) {
  return (
    <>
      <Field label={words.name} name="name" defaultValue={program?.name} />
      <Field
        label={words.website}
        name="websiteUrl"
        type="url"
        placeholder="https://"
        defaultValue={program?.websiteUrl}
      />
      <Area
        label={words.description}
        name="description"
        defaultValue={program?.description ?? ''}
        hint={words.descriptionHint}
      />
      <Choice
        label={text.status}
        name="status"
        defaultValue={program?.status ?? 'active'}
        options={optionsOf(['draft', 'active', 'paused'])}
      />
    </>
  );
}

function Earns({ program }: PartProps) {
  const terms = program?.commission;
  const currency = program?.currency ?? 'usd';
  const [renewals, setRenewals] = useState(renewalsOf(program));
  return (
    <>
      <Field
        label={words.currency}
        name="currency"
        maxLength={3}
        defaultValue={currency.toUpperCase()}
      />
      <EarningFields
        earning={terms}
        currency={currency}
        fields={{ flat: 'commission', percentage: 'commission' }}
      />
      <Choice
        label={words.renewals}
        name="renewals"
        value={renewals}
        onChange={({ target }) => setRenewals(target.value as 'none')}
        options={Object.entries(words.renewalKinds)}
      />
      {renewals === 'months' && (
        <Field
          label={words.months}
          name="recurringMonths"
          type="number"
          defaultValue={terms?.recurringMonths ?? 12}
          field="commission.recurringMonths"
        />
      )}
      <Limits program={program} />
    </>
  );
}

function renewalsOf(program: Program | undefined): keyof typeof words.renewalKinds {
  if (!program?.commission.recurring) return 'none';
  return program.commission.recurringMonths === null ? 'always' : 'months';
}

function Limits({ program }: PartProps) {
  const currency = program?.currency ?? 'usd';
  const money = (cents: number | null | undefined): string =>
    cents === null || cents === undefined ? '' : typedMoney(cents, currency);
  return (
    <>
      <Field
        label={words.window}
        name="attributionWindowDays"
        type="number"
        hint={words.inDays}
        defaultValue={program?.attributionWindowDays ?? 30}
      />
      <Field
        label={words.hold}
        name="holdDays"
        type="number"
        hint={words.inDays}
        defaultValue={program?.holdDays ?? 30}
      />
      <YesNo label={words.autoApprove} name="autoApprove" value={program?.autoApprove ?? true} />
      <Field
        label={words.reviewAbove}
        name="reviewAbove"
        inputMode="decimal"
        hint={words.reviewAboveHint}
        defaultValue={money(program?.reviewAboveCents)}
        field="reviewAboveCents"
      />
      <Field
        label={words.minPayout}
        name="minPayout"
        inputMode="decimal"
        defaultValue={money(program?.minPayoutCents ?? 0)}
        field="minPayoutCents"
      />
      <Field
        label={words.acceptedCurrencies}
        name="acceptedCurrencies"
        hint={words.acceptedHint}
        defaultValue={(program?.acceptedCurrencies ?? []).join(', ').toUpperCase()}
      />
    </>
  );
}

function WhoMay({ program }: PartProps) {
  return (
    <>
      <YesNo
        label={words.publicApplications}
        name="publicApplications"
        value={program?.publicApplications ?? true}
      />
      <Choice
        label={words.approvalMode}
        name="approvalMode"
        defaultValue={program?.approvalMode ?? 'manual'}
        options={Object.entries(words.approvalModes)}
      />
      <Choice
        label={words.salesFrom}
        name="salesFrom"
        defaultValue={program?.salesFrom ?? 'both'}
        options={Object.entries(words.salesSources)}
      />
      <Area
        label={words.bannedSources}
        hint={words.bannedSourcesHint}
        name="bannedSources"
        defaultValue={program?.bannedSources.join('\n')}
      />
    </>
  );
}

function YesNo({ label, name, value }: { label: string; name: string; value: boolean }) {
  return (
    <Choice
      label={label}
      name={name}
      defaultValue={String(value)}
      options={[
        ['true', text.yes],
        ['false', text.no],
      ]}
    />
  );
}
