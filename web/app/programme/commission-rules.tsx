import { useAnswer, useChange, useMay } from '../../session/use-session';
import { programme as words } from '../../text/en/app/programme';
import { ActButton } from '../../ui/ask';
import { DialogButton } from '../../ui/dialog';
import { Loaded, Section } from '../../ui/page';
import { ruleInWords } from '../../ui/terms';
import { RuleForm } from './rule-form';
import { TryTerms } from './try-terms';
import type { Program, Rule } from '../../session/records';

/** The rules in their order: the first that fits decides. */
export function Rules({ program }: { program: Program }) {
  const rules = useAnswer('programmes.getCommissionRules', { programId: program.id });
  const may = useMay('admin') && program.status !== 'archived';
  const replace = useChange('programmes.replaceCommissionRules');
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
                  {may && <RuleActs all={all} index={index} program={program} />}
                </li>
              ))}
            </ol>
            {all.some(({ match }) => !match.groupIds) && (
              <p className="fine">{words.overrides(words.everyGroup)}</p>
            )}
            <div className="inline-actions">
              {may && (
                <DialogButton label={words.addRule}>
                  {(close) => (
                    <RuleForm
                      program={program}
                      place={all.length}
                      save={(rule) =>
                        replace
                          .mutateAsync({ programId: program.id, rules: [...all, rule] })
                          .then(close)
                      }
                    />
                  )}
                </DialogButton>
              )}
              <TryTerms program={program} rules={all} />
            </div>
          </>
        )}
      </Loaded>
    </Section>
  );
}

interface ActsProps {
  all: readonly Rule[];
  index: number;
  program: Program;
}

function RuleActs({ all, index, program }: ActsProps) {
  const replace = useChange('programmes.replaceCommissionRules');
  const rule = all[index] as Rule;
  const putting = (rules: Rule[]) => ({ programId: program.id, rules });
  const others = all.filter((_, at) => at !== index);
  const moved = others.toSpliced(index - 1, 0, rule);
  return (
    <span className="inline-actions">
      {index > 0 && (
        <ActButton
          label={words.up}
          name={words.upOf(rule.name)}
          call="programmes.replaceCommissionRules"
          fields={putting(moved)}
        />
      )}
      <DialogButton label={words.change} name={words.changeOf(rule.name)}>
        {(close) => (
          <RuleForm
            program={program}
            rule={rule}
            place={index}
            save={(changed) => replace.mutateAsync(putting(all.with(index, changed))).then(close)}
          />
        )}
      </DialogButton>
      <ActButton
        label={words.removeRule}
        name={words.removeOf(rule.name)}
        call="programmes.replaceCommissionRules"
        fields={putting(others)}
      />
    </span>
  );
}
