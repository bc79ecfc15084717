import type { ImportReportDto } from '../../session/records';
import { text } from '../../text/en';
import { moving as words } from '../../text/en/app/moving';
import { ExportButton } from '../../ui/export-button';
import { formatCount, inWords } from '../../ui/format';
import { Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { isOpen, type OfImport } from './use-import';

type Samples = ImportReportDto['problems'];

/** Rows that are left out, and fields that are. */
export function Problems({ at, of, report }: OfImport & { report: ImportReportDto }) {
  const { problems, warnings } = report;
  return (
    <>
      <Section
        title={words.problems}
        actions={
          // Its rows are kept until it ends.
          problems.count > 0 &&
          isOpen(of) && (
            <ExportButton call="imports.listProblems" fields={at} label={words.problemsFile} />
          )
        }
      >
        {problems.count > 0 && <p>{words.problemsHint}</p>}
        <Samples title={words.problems} of={problems} empty={words.noProblems} />
      </Section>
      {warnings.count > 0 && (
        <Section title={words.warnings}>
          <p>{words.warningsHint}</p>
          <Samples title={words.warnings} of={warnings} empty={text.nothing} />
        </Section>
      )}
    </>
  );
}

function Samples({ title, of, empty }: { title: string; of: Samples; empty: string }) {
  const { count, sample } = of;
  return (
    <>
      <Table
        caption={title}
        columns={[
          { title: words.file, cell: ({ file }) => file },
          { title: words.line, isNumber: true, cell: ({ line }) => formatCount(line) },
          { title: words.id, cell: ({ id }) => id || text.nothing },
          { title: words.code, cell: ({ code }) => inWords(code) },
          { title: words.message, cell: ({ message }) => message },
        ]}
        rows={sample}
        rowKey={({ file, line, code, message }) => `${file} ${line} ${code} ${message}`}
        empty={empty}
      />
      {count > sample.length && <p>{words.andMore(formatCount(count - sample.length))}</p>}
    </>
  );
}
