import { Link } from '@tanstack/react-router';
import type { Fields } from '../../session/operations';
import type { PartnerFiguresDto } from '../../session/records';
import { useAnswer } from '../../session/use-session';
import { text } from '../../text/en';
import { overview as words } from '../../text/en/app/overview';
import { formatCount } from '../../ui/format';
import { Loaded, Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { Avatar, Money } from '../../ui/values';
import { useProgram } from '../use-program';

/** Who brought most, in one currency. */
export function Top({ asked }: { asked: Fields<'analytics.listTopPartners'> }) {
  const { all, program } = useProgram();
  const top = useAnswer('analytics.listTopPartners', asked);
  // A partner's page is of one programme: where there are several, theirs is asked for.
  const only = asked.programId === 'all' ? all.length === 1 && program?.id : asked.programId;
  const ids = (top.data?.data ?? []).map(({ participantId }) => participantId);
  const isAsked = !only && ids.length > 0;
  const names = useAnswer(
    'partners.listNames',
    isAsked && { ids: ids.toSorted().join(','), limit: 100 },
  );
  const nameOf = ({
    participantId: id,
    partnerName,
  }: Pick<PartnerFiguresDto, 'participantId' | 'partnerName'>) => {
    const programId = only || names.data?.data.find((one) => one.id === id)?.programId;
    return programId ? <Link to={`/partners/${programId}/${id}`}>{partnerName}</Link> : partnerName;
  };
  return (
    <Section title={words.top}>
      <Loaded query={top}>
        {({ currency, data }) => (
          <Table
            caption={words.top}
            columns={[
              {
                title: text.partner,
                cell: (row) => (
                  <span className="who" title={row.partnerName}>
                    <Avatar name={row.partnerName} />
                    <span>{nameOf(row)}</span>
                  </span>
                ),
              },
              {
                title: words.measures.clicks,
                isNumber: true,
                cell: ({ clicks }) => formatCount(clicks),
              },
              {
                title: words.measures.conversions,
                isNumber: true,
                cell: ({ conversions }) => formatCount(conversions),
              },
              {
                title: `${words.measures.revenue}, ${currency.toUpperCase()}`,
                isNumber: true,
                cell: (row) => <Money cents={row.attributedRevenueCents} currency={currency} />,
              },
            ]}
            rows={data}
            rowKey={({ participantId }) => participantId}
            empty={words.empty}
          />
        )}
      </Loaded>
    </Section>
  );
}
