import { Link } from '@tanstack/react-router';
import type { Conversion } from '../../session/records';
import { useAnswer } from '../../session/use-session';
import { text } from '../../text/en';
import { Avatar } from '../../ui/values';

interface Props {
  of: Conversion;
  /** The sales of the page: the names of all their partners are one question. */
  among?: readonly Conversion[];
}

/** Who was credited, by name; a sale itself knows the id only. */
export function CreditedPartner({ of, among = [of] }: Props) {
  const { attribution } = of;
  const { program_id: programId, participant_id: id } = attribution;
  const ids = among.map((sale) => sale.attribution.participant_id).filter((one) => one !== null);
  const asked = [...new Set(ids)].toSorted().join(',');
  const partners = useAnswer('partners.listNames', id !== null && { ids: asked, limit: 100 });
  if (!id) return <>{text.nothing}</>;
  const partner = partners.data?.data.find((one) => one.id === id);
  if (!partner) return <Link to={`/partners/${programId}/${id}`}>{text.partner}</Link>;
  return (
    <span className="who" title={partner.partnerName}>
      <Avatar name={partner.partnerName} />
      <Link to={`/partners/${programId}/${id}`}>{partner.partnerName}</Link>
    </span>
  );
}
