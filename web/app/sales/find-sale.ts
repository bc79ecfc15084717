import { ApiError } from '../../session/api-error';
import { useMode, useSession } from '../../session/use-session';
import type { Filters } from '../../session/operations';

const ownId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of the conversion, or undefined when nothing is known; throws when it cannot be asked. */
export function useFind(): (id: string) => Promise<string | undefined> {
  const session = useSession();
  const mode = useMode();
  const decided = async (by: Filters<'attribution.listDecisions'>): Promise<string | undefined> => {
    const fields = { ...by, limit: 1 };
    const { data } = await session.ask('attribution.listDecisions', fields, mode);
    return data[0]?.conversion_id;
  };
  const own = async (id: string): Promise<string | undefined> => {
    if (!ownId.test(id)) return undefined;
    try {
      return (await session.ask('conversions.get', { conversionId: id }, mode)).id;
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
