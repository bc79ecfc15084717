import { Link } from '@tanstack/react-router';
import type { ImportDto, ImportReportDto, Program } from '../../session/records';
import { text } from '../../text/en';
import { moving as words } from '../../text/en/app/moving';
import { formatCount } from '../../ui/format';
import { Table } from '../../ui/table';
import { termsInWords } from '../../ui/terms';

interface TermsProps {
  of: ImportReportDto['terms'];
  groupBy: ImportDto['groupBy'];
  program: Program;
}

/** Their terms, campaign by campaign, beside what a sale earns here. */
export function Terms({ of, groupBy, program }: TermsProps) {
  const ours = termsInWords(program.commission, program.currency);
  const days = formatCount(program.attributionWindowDays);
  return (
    <>
      <p>
        {words.termsHint} <Link to="/programme">{words.changeTerms}</Link>
      </p>
      {groupBy === 'campaign_and_commission' && <p>{words.byGroup}</p>}
      {of === null || of.length === 0 ? (
        <p>
          {words.noTerms} {ours}.
        </p>
      ) : (
        <Table
          caption={words.terms}
          columns={[
            { title: words.campaign, cell: ({ name }) => name },
            {
              title: words.commissionThere,
              cell: ({ commission }) => commission ?? text.nothing,
            },
            { title: words.renewalsThere, cell: ({ recurring }) => recurring ?? text.nothing },
            { title: words.commissionHere, cell: () => ours },
            {
              title: words.daysThere,
              isNumber: true,
              cell: ({ cookieDays }) =>
                cookieDays === null ? text.nothing : formatCount(cookieDays),
            },
            { title: words.daysHere, isNumber: true, cell: () => days },
          ]}
          rows={of}
          rowKey={({ name }) => name}
          empty={text.nothing}
        />
      )}
    </>
  );
}
