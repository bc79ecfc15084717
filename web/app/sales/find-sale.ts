import { ApiError } from '../../session/api-error';
import { useMode, useSession } from '../../session/use-session';
import type { Paged } from '../../ui/table';
import type { Conversion } from '../../session/records';

const ownId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of the conversion, or undefined when nothing is known; throws when it cannot be asked. */
export function useFind(): (id: string) => Promise<string | undefined> {
  const session = useSession();
  const mode = useMode();
  const decided = async (query: Record<string, string>): Promise<string | undefined> => {
    const path = '/api/v1/attribution/decisions';
    const asked = { query: { limit: 1, ...query }, mode };
    const { data } = await session.call<Paged<{ conversion_id: string }>>(path, asked);
    return data[0]?.conversion_id;
  };
  const own = async (id: string): Promise<string | undefined> => {
    if (!ownId.test(id)) return undefined;
    try {
      return (await session.call<Conversion>(`/api/v1/conversions/${id}`, { mode })).id;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  };
  return async (id) =>
    (await decided({ external_transaction_id: id })) ??
    (await decided({ click_id: id })) ??
    (await own(id));
}
