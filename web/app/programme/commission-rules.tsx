import { useApi, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { ActButton } from '../../ui/ask';
import { DialogButton } from '../../ui/dialog';
import { Loaded, Section } from '../../ui/page';
import { ruleInWords } from '../../ui/terms';
import { RuleForm } from './rule-form';
import { TryTerms } from './try-terms';
import type { Program, Rule } from '../../session/records';

const words = text.app.programme;

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
                  <b>{rule.name}</b>: {ruleInWords(rule, program.currency)}
                  {may && <RuleActs path={path} all={all} index={index} program={program} />}
                </li>
              ))}
            </ol>
            {all.some(({ match }) => !match.groupIds) && (
              <p className="fine">{words.overrides(words.everyGroup)}</p>
            )}
            <TryTerms program={program} rules={all} />
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
