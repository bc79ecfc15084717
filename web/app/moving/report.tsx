import type { ImportDto, ImportReportDto } from '../../session/records';
import { text } from '../../text/en';
import { moving as words } from '../../text/en/app/moving';
import { formatCount } from '../../ui/format';
import { Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { Copyable, Money } from '../../ui/values';
import { Problems } from './problems';
import { Terms } from './terms';
import type { OfImportAndProgram } from './use-import';

/** What is booked by it, or was, in a few words. */
export function bookedOf({ report }: ImportDto): string {
  const newOf = (kind: string): string =>
    formatCount(report?.kinds.find((one) => one.kind === kind)?.new ?? 0);
  return words.bookedWhat(newOf('partners'), newOf('commissions'));
}

interface ReportProps extends OfImportAndProgram {
  report: ImportReportDto;
}

/** What it would bring, or has brought: sums, rows, problems, and their terms beside ours. */
export function Report({ at, of, program, report }: ReportProps) {
  return (
    <>
      <Sums of={report} />
      <Rows of={report} />
      <Problems at={at} of={of} report={report} />
      <Section title={words.terms}>
        <Terms of={report.terms} groupBy={of.groupBy} program={program} />
      </Section>
    </>
  );
}

type Sum = ImportReportDto['money'][number];

const sumColumns: readonly (readonly [string, (sum: Sum) => number])[] = [
  [words.open, ({ openCents }) => openCents],
  [words.paid, ({ paidCents }) => paidCents],
  [words.void, ({ voidCents }) => voidCents],
  [words.negative, ({ negativeCents }) => negativeCents],
  [words.after, ({ afterCutoverCents }) => afterCutoverCents],
  [words.knownHere, ({ knownHereCents }) => knownHereCents],
];

function Sums({ of: { money } }: { of: ImportReportDto }) {
  return (
    <Section title={words.sums}>
      <p>{words.sumsHint}</p>
      <Table
        caption={words.sums}
        columns={[
          { title: words.currency, cell: ({ currency }) => currency.toUpperCase() },
          ...sumColumns.map(([title, centsOf]) => ({
            title,
            isNumber: true,
            cell: (sum: Sum) => <Money cents={centsOf(sum)} currency={sum.currency} />,
          })),
        ]}
        rows={money}
        rowKey={({ currency }) => currency}
        empty={words.noSums}
      />
    </Section>
  );
}

function Rows({ of: { kinds, merged, params } }: { of: ImportReportDto }) {
  return (
    <Section title={words.rows}>
      <Table
        caption={words.rows}
        columns={[
          { title: words.kind, cell: ({ kind }) => words.kinds[kind] },
          { title: words.read, isNumber: true, cell: ({ read }) => formatCount(read) },
          { title: words.fresh, isNumber: true, cell: (one) => formatCount(one.new) },
          { title: words.known, isNumber: true, cell: ({ known }) => formatCount(known) },
          { title: words.skipped, isNumber: true, cell: ({ skipped }) => formatCount(skipped) },
        ]}
        rows={kinds}
        rowKey={({ kind }) => kind}
        empty={text.nothing}
      />
      {merged > 0 && <p>{words.merged(merged)}</p>}
      {params.length > 0 && (
        <p>
          {words.params} <Copyable value={`data-params="${['ref', ...params].join(',')}"`} />
        </p>
      )}
    </Section>
  );
}
