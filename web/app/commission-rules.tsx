import { useApi, useChange, useMay } from '../session/use-session';
import { text } from '../text/en';
import { ActButton } from '../ui/ask';
import { DialogButton } from '../ui/dialog';
import { formatMoney, inWords } from '../ui/format';
import { Loaded, Section } from '../ui/page';
import { RuleForm } from './rule-form';
import { earningInWords } from './terms';
import type { Earning, Program } from './types';

const words = text.app.programme;

export interface Rule extends Earning {
  name: string;
  match: {
    eventTypes?: string[];
    participantIds?: string[];
    currencies?: string[];
    minAmountCents?: number;
  };
  holdDays: number | null;
  autoApprove: boolean | null;
}

/** The rules in their order: the first that fits decides. */
export function Rules({ program }: { program: Program }) {
  const path = `/api/v1/programs/${program.id}/commission-rules`;
  const rules = useApi<{ rules: Rule[] }>(path);
  const may = useMay('admin') && program.status !== 'archived';
  const save = useChange();
  const put = (all: readonly Rule[]) =>
    save.mutateAsync({ path, method: 'PUT', body: { rules: all } });
  return (
    <Section title={words.rules}>
      <Loaded query={rules}>
        {({ rules: all }) => (
          <>
            {all.length === 0 && <p className="empty">{words.noRules}</p>}
            <ol className="story">
              {all.map((rule, index) => (
                <li key={`${index}${rule.name}`}>
                  <b>{rule.name}</b>: {ruleInWords(rule, program)}
                  {may && <RuleActs path={path} all={all} index={index} program={program} />}
                </li>
              ))}
            </ol>
            {may && (
              <DialogButton label={words.addRule}>
                {(close) => (
                  <RuleForm
                    program={program}
                    place={all.length}
                    save={(rule) => put([...all, rule]).then(close)}
                  />
                )}
              </DialogButton>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

interface ActsProps {
  path: string;
  all: readonly Rule[];
  index: number;
  program: Program;
}

function RuleActs({ path, all, index, program }: ActsProps) {
  const save = useChange();
  const rule = all[index] as Rule;
  const putting = (rules: readonly Rule[]) => ({ path, method: 'PUT', body: { rules } }) as const;
  const others = all.filter((_, at) => at !== index);
  const moved = others.toSpliced(index - 1, 0, rule);
  return (
    <span className="inline-actions">
      {index > 0 && (
        <ActButton label={words.up} name={words.upOf(rule.name)} call={putting(moved)} />
      )}
      <DialogButton label={words.change} name={words.changeOf(rule.name)}>
        {(close) => (
          <RuleForm
            program={program}
            rule={rule}
            place={index}
            save={(changed) => save.mutateAsync(putting(all.with(index, changed))).then(close)}
          />
        )}
      </DialogButton>
      <ActButton label={words.removeRule} name={words.removeOf(rule.name)} call={putting(others)} />
    </span>
  );
}

/** What a minimum is counted in: the one currency that the rule is for, else the programme's. */
export const minimumCurrency = (match: Rule['match'], { currency }: Program): string =>
  match.currencies?.length === 1 ? (match.currencies[0] ?? currency) : currency;

function ruleInWords(rule: Rule, program: Program): string {
  const { match, holdDays, autoApprove } = rule;
  const { eventTypes = [], participantIds = [], currencies = [], minAmountCents } = match;
  const least = minAmountCents && formatMoney(minAmountCents, minimumCurrency(match, program));
  const parts = [
    earningInWords(rule, program.currency),
    eventTypes.length > 0 && words.ofKinds(eventTypes.map(inWords).join(', ')),
    participantIds.length > 0 && words.ofPartners(participantIds.length),
    currencies.length > 0 && words.inCurrencies(currencies.join(', ').toUpperCase()),
    least && words.fromAmount(least),
    holdDays !== null && words.heldFor(words.days(holdDays)),
    autoApprove !== null && (autoApprove ? words.approvesItself : words.waitsForYou),
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}
