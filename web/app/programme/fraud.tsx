import { useEffect, useRef, useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useAnswer, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { programme as words } from '../../text/en/app/programme';
import { FormButton } from '../../ui/ask';
import { Area, Choice } from '../../ui/form';
import { chosenOf, optionsOf, formatCount, inWords, localDay } from '../../ui/format';
import { Loaded, Problem, Section } from '../../ui/page';
import { Select } from '../../ui/select';
import { Filter, useListSearch } from '../../ui/filters';
import { List } from '../../ui/list';
import { Table } from '../../ui/table';
import { When } from '../../ui/values';
import { changedRules, withFurther, withRecommended } from './fraud-rules';
import type { FraudFlagDto, FraudRuleDto, Program } from '../../session/records';

const fraudActions = optionsOf(['off', 'flag', 'hold', 'reject'], words.fraudActions);

/** Rules as they are; a change is tried on the last 30 days before it is saved. */
export function Fraud({ program }: { program: Program }) {
  const rules = useAnswer('fraud.getRules', { programId: program.id });
  const update = useChange('fraud.updateRules');
  const test = useChange('fraud.backTestRules');
  const [edited, setEdited] = useState<FraudRuleDto[]>();
  const may = useMay('admin');
  const saved = withFurther(rules.data?.rules ?? []);
  const all = edited ?? saved;
  const set = (rule: FraudRuleDto['rule'], part: Partial<FraudRuleDto>): void =>
    setEdited(all.map((one) => (one.rule === rule ? { ...one, ...part } : one)));
  const changed = { programId: program.id, ...changedRules(all, saved) };
  const span = { from: localDay(29), to: localDay() };
  return (
    <Section title={words.fraud}>
      <Loaded query={rules}>
        {() => (
          <Table
            caption={words.fraud}
            columns={[
              {
                title: words.rule,
                cell: (one) => (
                  <RuleSentence
                    of={one}
                    disabled={!may}
                    onChange={(threshold) => set(one.rule, { threshold })}
                  />
                ),
              },
              {
                title: words.action,
                cell: ({ rule, action }) => (
                  <Select
                    aria-label={words.actionOf(inWords(rule))}
                    value={action}
                    disabled={!may}
                    options={fraudActions}
                    onChange={(chosen) => set(rule, { action: chosen })}
                  />
                ),
              },
              {
                title: words.hits,
                isNumber: true,
                cell: ({ rule }) => {
                  const hits = test.data?.byRule.find((one) => one.rule === rule)?.hits;
                  return hits === undefined || hits === null ? text.nothing : formatCount(hits);
                },
              },
            ]}
            rows={all}
            rowKey={({ rule }) => rule}
            empty={text.nothing}
          />
        )}
      </Loaded>
      <Problem error={update.error ?? test.error} />
      {may && (
        <div className="form-end">
          <button type="button" onClick={() => setEdited(withRecommended(all))}>
            {words.useRecommended}
          </button>
          <button type="button" onClick={() => test.mutate({ ...changed, ...span })}>
            {words.backTest}
          </button>
          <button
            type="button"
            className="primary"
            disabled={!edited}
            onClick={() => update.mutate(changed, { onSuccess: () => setEdited(undefined) })}
          >
            {text.save}
          </button>
        </div>
      )}
    </Section>
  );
}

interface SentenceProps {
  of: FraudRuleDto;
  disabled: boolean;
  onChange: (threshold: number) => void;
}

/** What a rule looks for, with its threshold where the sentence counts something. */
function RuleSentence({ of: { rule, threshold }, disabled, onChange }: SentenceProps) {
  const [before, after] = words.ruleSentences[rule] ?? ['', ''];
  return (
    <>
      <b>{inWords(rule)}</b>
      <span className="sentence">
        {before}{' '}
        {threshold !== null && (
          <input
            type="number"
            min={0}
            aria-label={words.thresholdOf(inWords(rule))}
            value={threshold}
            disabled={disabled}
            onChange={({ target }) => onChange(Number(target.value))}
          />
        )}{' '}
        {after}
      </span>
    </>
  );
}

const verdicts = ['dismissed', 'confirmed'] as const;
const states = ['open', 'confirmed', 'dismissed'] as const;

/** The cases of a programme, the newest first; what is open can be closed here. */
export function Flags({ program }: { program: Program }) {
  const { search } = useListSearch();
  const state = states.find((one) => one === search['flags']);
  const place = useInSight(state !== undefined);
  return (
    <div ref={place}>
      <Section title={words.flags}>
        <div className="filters">
          <Filter
            call="fraud.listFlags"
            field="state"
            name="flags"
            label={text.status}
            options={optionsOf(states, words.states)}
          />
        </div>
        <List
          call="fraud.listFlags"
          fields={{ programId: program.id, state }}
          name="flagsPage"
          filters={['flags']}
          caption={words.flags}
          columns={[
            { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
            { title: words.rule, cell: ({ rule }) => inWords(rule) },
            { title: text.partner, cell: ({ partnerName }) => partnerName },
            {
              title: words.sale,
              cell: ({ conversion }) => (
                <Link to={`/sales/${conversion.id}`}>{conversion.externalTransactionId}</Link>
              ),
            },
            {
              title: text.status,
              cell: (flag) => <State of={flag} programId={program.id} />,
            },
          ]}
          empty={words.noFlags}
        />
      </Section>
    </div>
  );
}

/** Whoever was led to the cases begins there: the page is long, and they are its end. */
function useInSight(isLedHere: boolean) {
  const place = useRef<HTMLDivElement>(null);
  const [was] = useState(isLedHere);
  useEffect(() => {
    if (was) place.current?.scrollIntoView({ block: 'start' });
  }, [was]);
  return place;
}

interface StateProps {
  of: FraudFlagDto;
  programId: string;
}

function State({ of: { id, state, note }, programId }: StateProps) {
  const resolve = useChange('fraud.resolveFlag');
  const may = useMay('member');
  if (state !== 'open' || !may) {
    return (
      <>
        {words.states[state]}
        {note && <p className="hint">{note}</p>}
      </>
    );
  }
  return (
    <FormButton
      label={words.resolve}
      send={({ state: verdict, note: typed }) =>
        resolve.mutateAsync({
          ...{ programId, flagId: id, state: chosenOf(verdicts, verdict) },
          ...(typed && { note: typed }),
        })
      }
    >
      <Choice
        label={words.verdict}
        name="state"
        options={optionsOf(verdicts, words.verdicts)}
        hint={words.verdictHint}
      />
      <Area label={words.note} name="note" />
    </FormButton>
  );
}
