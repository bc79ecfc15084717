import { useState } from 'react';
import { useChange } from '../../session/use-session';
import { text } from '../../text/en';
import { programme as words } from '../../text/en/app/programme';
import { chosenOf, optionsOf, typedMoney } from '../../ui/format';
import { Area, Choice, Field, Form } from '../../ui/form';
import { EarningFields } from './earning-fields';
import { recommendedRules } from './fraud-rules';
import { earningOf, listOf, moneyOrNull } from './terms';
import type { CreateProgramBody, Program } from '../../session/records';

type Typed = Record<string, string>;

interface FormProps {
  /** The one that changes; none makes a new one. */
  program?: Program;
  onDone: (program: Program) => void;
}

/** All that a programme is, to make one or to change it. */
export function ProgramForm({ program, onDone }: FormProps) {
  const create = useChange('programmes.create');
  const update = useChange('programmes.update');
  const setRules = useChange('fraud.updateRules');
  const made = async (typed: Typed): Promise<Program> => {
    const done = await create.mutateAsync(bodyOf(typed));
    await setRules.mutateAsync({ programId: done.id, rules: recommendedRules });
    return done;
  };
  const submit = async (typed: Typed): Promise<void> => {
    const changed = program && { programId: program.id, ...bodyOf(typed) };
    onDone(changed ? await update.mutateAsync(changed) : await made(typed));
  };
  return (
    <Form submit={program ? text.save : words.create} onSubmit={submit}>
      <Who program={program} />
      <Earns program={program} />
      <WhoMay program={program} />
    </Form>
  );
}

const statuses = ['draft', 'active', 'paused'] as const;
const approvalModes = ['manual', 'auto'] as const;
const salesSources = ['both', 'api', 'stripe', 'paddle', 'polar'] as const;

function bodyOf(typed: Typed): CreateProgramBody {
  const currency = (typed['currency'] ?? 'usd').trim().toLowerCase();
  const { name = '', websiteUrl = '', description } = typed;
  const recurring = typed['renewals'] !== 'none';
  const months = typed['renewals'] === 'months' ? Number(typed['recurringMonths']) : null;
  const accepted = listOf(typed['acceptedCurrencies'] ?? '').map((code) => code.toLowerCase());
  return {
    ...{ name, websiteUrl, currency, description: description || null },
    status: chosenOf(statuses, typed['status']),
    approvalMode: chosenOf(approvalModes, typed['approvalMode']),
    salesFrom: chosenOf(salesSources, typed['salesFrom']),
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
        options={optionsOf(statuses)}
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
        options={optionsOf(approvalModes, words.approvalModes)}
      />
      <Choice
        label={words.salesFrom}
        name="salesFrom"
        defaultValue={program?.salesFrom ?? 'both'}
        options={optionsOf(salesSources, words.salesSources)}
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
