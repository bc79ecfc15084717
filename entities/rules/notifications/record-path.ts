import type { Side } from '../accounts/accounts';
import type { Mode } from '../values/mode';

/** Ids of the records that a notice is about. */
export interface RecordIds {
  commissionId?: string | null;
  conversionId?: string | null;
  endpointId?: string | null;
  participantId?: string | null;
  payoutId?: string | null;
  programId?: string | null;
}

/** The page of the record, or of the list that it stands in, by the first word of a type. */
const merchantPages: Readonly<Record<string, (ids: RecordIds) => string>> = {
  conversion: ({ conversionId }) => join('/sales', conversionId),
  commission: ({ programId, commissionId }) => join('/commissions', programId, commissionId),
  participant: ({ programId, participantId }) => join('/partners', programId, participantId),
  payout: ({ payoutId }) => join('/payouts', payoutId),
  webhook: ({ endpointId }) =>
    endpointId ? join('/developers/webhooks', endpointId) : '/developers',
  stripe: () => '/developers',
  biller: () => '/developers',
  security: () => '/settings',
};

const partnerPages: Readonly<Record<string, (ids: RecordIds) => string>> = {
  commission: ({ commissionId }) => join('/earnings', commissionId),
  participant: () => '/programmes',
  program: () => '/programmes',
  customer: () => '/programmes',
  payout: () => '/payouts',
  security: () => '/settings',
};

/**
 * Where the record of a notice is shown, below the dashboard's address: of the list alone when an id
 * of it is not known. The mode goes along, because a page shows one.
 */
export function recordPath(
  { side, type, mode }: { side: Side; type: string; mode: Mode | null },
  ids: RecordIds,
): string {
  const [word = ''] = type.split('.');
  const [base, pages] = side === 'merchant' ? ['/app', merchantPages] : ['/portal', partnerPages];
  const page = pages[word]?.(ids) ?? '/';
  return `${base}${page}${mode === null ? '' : `?mode=${mode}`}`;
}

function join(list: string, ...ids: (string | null | undefined)[]): string {
  return ids.every(Boolean) ? [list, ...ids].join('/') : list;
}
