import { useState, type FormEvent } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../session/api-error';
import { useMode, useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { Problem } from '../../ui/page';
import type { Paged } from '../../ui/table';
import type { Conversion } from '../../session/records';

const words = text.app.sales;

const ownId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Opens the sale behind any id that is known of it: of the payment, of its click, or ours. */
export function Ask() {
  const find = useFind();
  const navigate = useNavigate();
  const [said, setSaid] = useState('');
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget).get('id')).trim();
    if (id === '') return;
    setError(undefined);
    setSaid('');
    const found = await find(id);
    if (found === undefined) setSaid(words.notFound(id));
    else await navigate({ to: `/sales/${found}` });
  };
  return (
    <>
      <form
        role="search"
        className="filter ask"
        onSubmit={(event) => void submit(event).catch(setError)}
      >
        <input type="search" name="id" aria-label={words.ask} placeholder={words.askHint} />
        <button type="submit">{words.askIt}</button>
        <span role="status">{said}</span>
      </form>
      <Problem error={error} />
    </>
  );
}

/** The id of the conversion, or undefined when nothing is known; throws when it cannot be asked. */
function useFind(): (id: string) => Promise<string | undefined> {
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
