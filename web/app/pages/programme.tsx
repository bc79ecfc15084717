import { useApi, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { formatMoney, formatShare, inWords, parseMoney } from '../../ui/format';
import { Area, Choice, Field, Form } from '../../ui/form';
import { Loaded, Problem, Section } from '../../ui/page';
import { Badge, Copyable, Facts } from '../../ui/values';
import { Flags, Fraud } from '../fraud';
import { OfProgram } from '../of-program';
import { refused } from '../../session/refused';
import type { Program, Terms } from '../types';

const words = text.app.programme;

export default function ProgrammePage() {
  return (
    <OfProgram title={words.title} actions={(program) => <Change program={program} />}>
      {(program) => (
        <>
          <TermsOf program={program} />
          <Rules program={program} />
          <Fraud program={program} />
          <Flags program={program} />
        </>
      )}
    </OfProgram>
  );
}

export function termsInWords(
  { type, rateBps, amountCents, basis, recurring, recurringMonths }: Terms,
  currency: string,
): string {
  const earned =
    type === 'percentage'
      ? words.percentOf(formatShare((rateBps ?? 0) / 10_000), words.bases[basis])
      : formatMoney(amountCents ?? 0, currency);
  if (!recurring) return earned;
  return `${earned}, ${recurringMonths === null ? words.forEver : words.forMonths(recurringMonths)}`;
}

function TermsOf({ program }: { program: Program }) {
  const { id, currency } = program;
  return (
    <Facts
      of={[
        [text.name, program.name],
        [words.website, program.websiteUrl],
        [text.status, <Badge key="status" status={program.status} />],
        [words.commission, termsInWords(program.commission, currency)],
        [words.window, words.days(program.attributionWindowDays)],
        [words.hold, words.days(program.holdDays)],
        [words.autoApprove, program.autoApprove ? text.yes : text.no],
        [words.minPayout, formatMoney(program.minPayoutCents, currency)],
        [words.link, <Copyable key="link" value={`${window.location.origin}/portal/join/${id}`} />],
      ]}
    />
  );
}

function Change({ program }: { program: Program }) {
  const change = useChange();
  if (!useMay('admin') || program.status === 'archived') return null;
  const path = `/api/v1/programs/${program.id}`;
  return (
    <>
      <DialogButton label={words.change} title={words.change}>
        {(close) => <ChangeForm program={program} close={close} />}
      </DialogButton>
      <DialogButton label={words.archive} className="danger">
        {(close) => (
          <>
            <p>{words.archiveHint}</p>
            <Problem error={change.error} />
            <button
              type="button"
              className="danger"
              onClick={() =>
                change.mutate(
                  { path: `${path}/archive`, method: 'POST', body: {} },
                  { onSuccess: close },
                )
              }
            >
              {words.archive}
            </button>
          </>
        )}
      </DialogButton>
    </>
  );
}

function ChangeForm({ program, close }: { program: Program; close: () => void }) {
  const change = useChange();
  const { commission, currency } = program;
  const isPercentage = commission.type === 'percentage';
  const submit = async (typed: Record<string, string>): Promise<void> => {
    const {
      name,
      websiteUrl,
      status,
      earned = '',
      holdDays,
      attributionWindowDays,
      autoApprove,
      bannedSources = '',
    } = typed;
    const value = parseMoney(earned, isPercentage ? 'usd' : currency);
    if (value === undefined) throw refused('commission', words.noAmount);
    const body = {
      name,
      websiteUrl,
      status,
      holdDays: Number(holdDays),
      attributionWindowDays: Number(attributionWindowDays),
      autoApprove: autoApprove === 'true',
      bannedSources: bannedSources.split(/\s+/).filter((host) => host !== ''),
      commission: { ...plain(commission), [isPercentage ? 'rateBps' : 'amountCents']: value },
    };
    await change.mutateAsync({ path: `/api/v1/programs/${program.id}`, method: 'PATCH', body });
    close();
  };
  const earned = isPercentage
    ? (commission.rateBps ?? 0) / 100
    : (commission.amountCents ?? 0) / 100;
  return (
    <Form submit={text.save} onSubmit={submit}>
      {(problem) => (
        <>
          <Field
            label={text.name}
            name="name"
            defaultValue={program.name}
            problem={problem('name')}
          />
          <Field
            label={words.website}
            name="websiteUrl"
            defaultValue={program.websiteUrl}
            problem={problem('websiteUrl')}
          />
          <Choice
            label={text.status}
            name="status"
            defaultValue={program.status}
            options={(['draft', 'active', 'paused'] as const).map(
              (one) => [one, inWords(one)] as const,
            )}
          />
          <Field
            label={isPercentage ? words.percent : words.commission}
            name="earned"
            inputMode="decimal"
            defaultValue={earned}
            problem={problem('commission')}
          />
          <Field
            label={words.window}
            name="attributionWindowDays"
            type="number"
            defaultValue={program.attributionWindowDays}
            problem={problem('attributionWindowDays')}
          />
          <Field
            label={words.hold}
            name="holdDays"
            type="number"
            defaultValue={program.holdDays}
            problem={problem('holdDays')}
          />
          <Choice
            label={words.autoApprove}
            name="autoApprove"
            defaultValue={String(program.autoApprove)}
            options={[
              ['true', text.yes],
              ['false', text.no],
            ]}
          />
          <Area
            label={words.bannedSources}
            hint={words.bannedSourcesHint}
            name="bannedSources"
            defaultValue={program.bannedSources.join('\n')}
            problem={problem('bannedSources')}
          />
        </>
      )}
    </Form>
  );
}

/** Without what does not go with its kind: the API refuses a null there. */
function plain({ type, rateBps, amountCents, basis, recurring, recurringMonths }: Terms) {
  const months = recurring && recurringMonths !== null ? { recurringMonths } : {};
  const amount = type === 'percentage' ? { rateBps, basis } : { amountCents };
  return { type, recurring, ...amount, ...months };
}

function Rules({ program }: { program: Program }) {
  const path = `/api/v1/programs/${program.id}/commission-rules`;
  const rules = useApi<{ rules: { name: string }[] }>(path);
  const change = useChange();
  const may = useMay('admin');
  return (
    <Section
      title={words.rules}
      actions={
        may &&
        rules.data && (
          <DialogButton label={words.changeRules}>
            {(close) => (
              <Form
                submit={text.save}
                onSubmit={async ({ rules: typed = '' }) => {
                  await change.mutateAsync({ path, method: 'PUT', body: { rules: parsed(typed) } });
                  close();
                }}
              >
                {(problem) => (
                  <Area
                    label={words.rulesJson}
                    name="rules"
                    rows={16}
                    defaultValue={JSON.stringify(rules.data.rules, null, 2)}
                    problem={problem('rules')}
                  />
                )}
              </Form>
            )}
          </DialogButton>
        )
      }
    >
      <Loaded query={rules}>
        {({ rules: all }) =>
          all.length === 0 ? (
            <p className="empty">{words.noRules}</p>
          ) : (
            <ol>
              {all.map(({ name }) => (
                <li key={name}>{name}</li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Section>
  );
}

function parsed(typed: string): unknown {
  try {
    return JSON.parse(typed);
  } catch {
    throw refused('rules', words.noJson);
  }
}
