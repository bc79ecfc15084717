import { useAnswer, useChange, useMay } from '../../session/use-session';
import type { GroupDto, Program, TiersDto } from '../../session/records';
import { text } from '../../text/en';
import { programme as words } from '../../text/en/app/programme';
import { DialogButton } from '../../ui/dialog';
import { chosenOf, parseMoney, typedMoney } from '../../ui/format';
import { Choice, Field, Form } from '../../ui/form';
import { Loaded, Section } from '../../ui/page';
import { refused } from '../../session/refused';
import { figureInWords, metrics } from '../../ui/figures';
import { useGroups } from '../use-groups';

/** The tiers of a programme: the figure from which on a partner is in each group. */
export function Tiers({ program }: { program: Program }) {
  const tiers = useAnswer('tiers.get', { programId: program.id });
  const groups = useGroups(program.id);
  const may = useMay('admin') && program.status !== 'archived';
  return (
    <Section title={words.tiers}>
      <Loaded query={groups}>
        {({ data }) => (
          <Loaded query={tiers}>
            {(now) => (
              <>
                {now.steps.length === 0 && <p className="empty">{words.noTiers}</p>}
                <ol className="story">
                  {now.steps.map(({ atLeast, groupId }) => (
                    <li key={groupId}>
                      {words.step(
                        figureInWords(now.metric, atLeast, program.currency),
                        nameOf(data, groupId),
                      )}
                    </li>
                  ))}
                </ol>
                {may && data.length > 1 && (
                  <DialogButton label={words.changeTiers}>
                    {(close) => (
                      <TiersForm
                        {...{ program, tiers: now, onDone: close }}
                        groups={data.filter(({ isDefault }) => !isDefault)}
                      />
                    )}
                  </DialogButton>
                )}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </Section>
  );
}

function nameOf(groups: readonly GroupDto[], id: string): string {
  return groups.find((group) => group.id === id)?.name ?? text.nothing;
}

interface TiersFormProps {
  program: Program;
  tiers: TiersDto;
  groups: readonly GroupDto[];
  onDone: () => void;
}

/** A figure for each group; an empty one leads nowhere. */
function TiersForm({ program, tiers, groups, onDone }: TiersFormProps) {
  const replace = useChange('tiers.replace');
  const { currency } = program;
  const send = async (typed: Record<string, string>): Promise<void> => {
    const metric = chosenOf(metrics, typed['metric']);
    const steps = groups
      .flatMap(({ id: groupId }) => {
        const typedFigure = typed[groupId] ?? '';
        const isMoney = metric === 'revenue';
        const atLeast = isMoney ? parseMoney(typedFigure, currency) : Number(typedFigure);
        if (typedFigure === '') return [];
        if (atLeast === undefined) throw refused(groupId, text.noAmount(currency));
        return [{ atLeast, groupId }];
      })
      .toSorted((a, b) => a.atLeast - b.atLeast);
    await replace.mutateAsync({ programId: program.id, metric, steps });
    onDone();
  };
  const known = (id: string): string => {
    const step = tiers.steps.find(({ groupId }) => groupId === id);
    if (!step) return '';
    return tiers.metric === 'revenue' ? typedMoney(step.atLeast, currency) : `${step.atLeast}`;
  };
  return (
    <Form submit={text.save} onSubmit={send}>
      <Choice
        label={words.metric}
        name="metric"
        defaultValue={tiers.metric}
        options={Object.entries(words.metrics)}
      />
      {groups.map(({ id, name }) => (
        <Field
          key={id}
          label={words.reaches(name)}
          name={id}
          inputMode="decimal"
          hint={words.noStep}
          defaultValue={known(id)}
        />
      ))}
    </Form>
  );
}
