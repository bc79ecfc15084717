import { useApi, useChange, useMay } from '../../session/use-session';
import type { GroupDto, Program, TiersDto } from '../../session/records';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { parseMoney, typedMoney } from '../../ui/format';
import { Choice, Field, Form } from '../../ui/form';
import { Loaded, Section } from '../../ui/page';
import { refused } from '../../session/refused';
import { figureInWords } from '../../ui/figures';
import { useGroups } from './groups';

const words = text.app.programme;

/** From which figure on a partner is in which group. */
export function Tiers({ program }: { program: Program }) {
  const path = `/api/v1/programs/${program.id}/tiers`;
  const tiers = useApi<TiersDto>(path);
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
                        {...{ path, program, tiers: now, onDone: close }}
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
  path: string;
  program: Program;
  tiers: TiersDto;
  groups: readonly GroupDto[];
  onDone: () => void;
}

/** A figure for each group; an empty one leads nowhere. */
function TiersForm({ path, program, tiers, groups, onDone }: TiersFormProps) {
  const change = useChange();
  const { currency } = program;
  const send = async (typed: Record<string, string>): Promise<void> => {
    const metric = typed['metric'] as TiersDto['metric'];
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
    await change.mutateAsync({ path, method: 'PUT', body: { metric, steps } });
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
