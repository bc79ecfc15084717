import { useChange } from '../../session/use-session';
import type { Program, Rule, TermsBackTestDto } from '../../session/records';
import { text } from '../../text/en';
import { programme as words } from '../../text/en/app/programme';
import { Problem } from '../../ui/page';
import { Table } from '../../ui/table';
import { Amounts, Facts } from '../../ui/values';

/** What rules would have made of the sales of the last 90 days: who gains, and who loses. */
export function TryTerms({ program, rules }: { program: Program; rules: Rule[] }) {
  const change = useChange('programmes.backTestCommissionRules');
  return (
    <>
      <button
        type="button"
        disabled={change.isPending}
        onClick={() => change.mutate({ programId: program.id, rules })}
      >
        {words.tryTerms}
      </button>
      <Problem error={change.error} />
      {change.data && <Tried of={change.data} />}
    </>
  );
}

function Tried({
  of: { conversions, changed, before, after, byPartner },
}: {
  of: TermsBackTestDto;
}) {
  return (
    <div role="status">
      <Facts
        of={[
          [words.triedSales, words.triedOf(changed, conversions)],
          [words.before, <Amounts key="before" of={before} />],
          [words.after, <Amounts key="after" of={after} />],
        ]}
      />
      <Table
        caption={words.byPartner}
        columns={[
          { title: text.partner, cell: ({ partnerName }) => partnerName },
          { title: words.before, isNumber: true, cell: (row) => <Amounts of={row.before} /> },
          { title: words.after, isNumber: true, cell: (row) => <Amounts of={row.after} /> },
        ]}
        rows={byPartner}
        rowKey={({ participantId }) => participantId}
        empty={text.nothing}
      />
    </div>
  );
}
