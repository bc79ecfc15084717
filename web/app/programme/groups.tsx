import { useChange, useMay } from '../../session/use-session';
import type { GroupDto, Program } from '../../session/records';
import { text } from '../../text/en';
import { programme as words } from '../../text/en/app/programme';
import { ConfirmButton } from '../../ui/ask';
import { DialogButton } from '../../ui/dialog';
import { formatCount } from '../../ui/format';
import { Area, Choice, Field, Form } from '../../ui/form';
import { Loaded, Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { termsInWords } from '../../ui/terms';
import { Copyable } from '../../ui/values';
import { useGroups } from '../use-groups';
import { EarningFields } from './earning-fields';
import { earningOf } from './terms';

/** Partners under terms of their own. */
export function Groups({ program }: { program: Program }) {
  const groups = useGroups(program.id);
  const may = useMay('admin') && program.status !== 'archived';
  const inWords = ({ commission }: GroupDto): string =>
    commission ? termsInWords(commission, program.currency) : words.asProgrammeShort;
  return (
    <Section title={words.groups}>
      <Loaded query={groups}>
        {({ data }) => (
          <Table
            caption={words.groups}
            columns={[
              { title: text.name, cell: ({ name }) => name },
              { title: words.commission, cell: inWords },
              {
                title: words.hold,
                cell: ({ holdDays }) =>
                  holdDays === null ? words.asProgrammeShort : words.days(holdDays),
              },
              {
                title: words.link,
                cell: (one) => one.publicApplications && <Copyable value={linkOf(program, one)} />,
              },
              {
                title: words.members,
                isNumber: true,
                cell: ({ participants }) => formatCount(participants),
              },
              {
                title: text.actions,
                cell: (one) => may && <GroupActs program={program} group={one} />,
              },
            ]}
            rows={data}
            rowKey={({ id }) => id}
            empty={text.nothing}
          />
        )}
      </Loaded>
      {may && (
        <DialogButton label={words.addGroup}>
          {(close) => <GroupForm program={program} onDone={close} />}
        </DialogButton>
      )}
    </Section>
  );
}

function linkOf({ id, mode }: Program, group: GroupDto): string {
  const search = new URLSearchParams({
    ...(mode === 'test' ? { mode } : {}),
    ...(group.isDefault ? {} : { group: group.id }),
  });
  return `${window.location.origin}/portal/join/${id}${search.size > 0 ? `?${search}` : ''}`;
}

function GroupActs({ program, group }: { program: Program; group: GroupDto }) {
  return (
    <span className="inline-actions">
      <DialogButton
        label={words.change}
        name={words.changeOf(group.name)}
        title={words.changeOf(group.name)}
      >
        {(close) => <GroupForm program={program} group={group} onDone={close} />}
      </DialogButton>
      {!group.isDefault && (
        <ConfirmButton
          label={words.deleteGroup}
          name={words.removeOf(group.name)}
          title={words.removeOf(group.name)}
          className="danger"
          call="groups.delete"
          fields={{ programId: program.id, groupId: group.id }}
        >
          <p>{words.deleteGroupHint(group.name)}</p>
        </ConfirmButton>
      )}
    </span>
  );
}

interface GroupFormProps {
  program: Program;
  group?: GroupDto;
  onDone: () => void;
}

function GroupForm({ program, group, onDone }: GroupFormProps) {
  const create = useChange('groups.create');
  const update = useChange('groups.update');
  const programId = program.id;
  const send = async (typed: Record<string, string>): Promise<void> => {
    const fields = { programId, ...bodyOf(typed, program, group) };
    await (group
      ? update.mutateAsync({ ...fields, groupId: group.id })
      : create.mutateAsync(fields));
    onDone();
  };
  return (
    <Form submit={text.save} onSubmit={send}>
      <Field label={text.name} name="name" defaultValue={group?.name} />
      <Area label={words.description} name="description" defaultValue={group?.description ?? ''} />
      {!group?.isDefault && <OwnTerms program={program} group={group} />}
    </Form>
  );
}

/** What a group may have of its own. */
function OwnTerms({ program, group }: { program: Program; group: GroupDto | undefined }) {
  return (
    <>
      <Choice
        label={words.ownCommission}
        name="own"
        defaultValue={group?.commission ? 'yes' : 'no'}
        options={[
          ['no', words.asProgrammeShort],
          ['yes', words.ownTerms],
        ]}
      />
      <EarningFields
        earning={group?.commission ?? program.commission}
        currency={program.currency}
        fields={{ flat: 'commission', percentage: 'commission' }}
      />
      <Choice
        label={words.renewals}
        name="renewals"
        defaultValue={renewalsOf(group?.commission ?? program.commission)}
        options={Object.entries(words.renewalKinds)}
      />
      <Field
        label={words.months}
        name="months"
        type="number"
        defaultValue={(group?.commission ?? program.commission).recurringMonths ?? ''}
      />
      <Field
        label={words.hold}
        name="holdDays"
        type="number"
        hint={words.asProgramme}
        defaultValue={group?.holdDays ?? ''}
      />
      <Choice
        label={words.publicApplications}
        name="publicApplications"
        defaultValue={String(group?.publicApplications ?? false)}
        options={[
          ['false', text.no],
          ['true', text.yes],
        ]}
      />
    </>
  );
}

function renewalsOf({ recurring, recurringMonths }: Program['commission']): string {
  if (!recurring) return 'none';
  return recurringMonths === null ? 'always' : 'months';
}

function bodyOf(typed: Record<string, string>, { currency }: Program, group?: GroupDto) {
  const { name = '', description, own, renewals, months, holdDays, publicApplications } = typed;
  const named = { name, description: description || null };
  if (group?.isDefault) return named;
  const commission = {
    ...earningOf(typed, currency, 'commission'),
    recurring: renewals !== 'none',
    ...(renewals === 'months' ? { recurringMonths: Number(months) } : {}),
  };
  return {
    ...named,
    commission: own === 'yes' ? commission : null,
    holdDays: holdDays ? Number(holdDays) : null,
    publicApplications: publicApplications === 'true',
  };
}
