import { useState, type FormEvent } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { sales as words } from '../../text/en/app/sales';
import { Problem } from '../../ui/page';
import { useFind } from './find-sale';

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
