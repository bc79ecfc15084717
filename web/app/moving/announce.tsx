import { useState } from 'react';
import type { AnnouncedDto } from '../../session/records';
import { useChange, useMode } from '../../session/use-session';
import { moving as words } from '../../text/en/app/moving';
import { DialogButton } from '../../ui/dialog';
import { Area, Form } from '../../ui/form';
import { Problem } from '../../ui/page';
import { When } from '../../ui/values';
import type { At, OfImport } from './use-import';

/** Tells the partners that they are here: what they read is shown first. */
export function Announce({ at, of: { status, announced } }: OfImport) {
  if (status !== 'applied') return <p>{words.announceAfter}</p>;
  return (
    <>
      <p>{words.announceHint}</p>
      {announced && (
        <p>
          {words.told(announced.count)} <When at={announced.at} />.
        </p>
      )}
      <DialogButton label={words.announce} className={announced ? undefined : 'primary'} isWide>
        {(close) => <Letter at={at} onSent={close} />}
      </DialogButton>
    </>
  );
}

/** A preview belongs to the words that it was made from: other words are previewed anew. */
interface Seen {
  message: string;
  answer: AnnouncedDto;
}

const bodyOf = (message: string) => (message.trim() === '' ? {} : { message });

function Letter({ at, onSent }: { at: At; onSent: () => void }) {
  const [seen, setSeen] = useState<Seen>();
  const [kept, setKept] = useState('');
  const look = useChange('imports.announce');
  const preview = async ({ message = '' }: Record<string, string>): Promise<void> => {
    setKept(message);
    const asked = { ...at, ...bodyOf(message), dryRun: true };
    setSeen({ message, answer: await look.mutateAsync(asked) });
  };
  if (seen) return <Send {...{ at, seen, onSent }} onBack={() => setSeen(undefined)} />;
  return (
    <Form submit={words.preview} onSubmit={preview}>
      <Area
        label={words.ownWords}
        name="message"
        maxLength={2_000}
        defaultValue={kept}
        hint={words.ownWordsHint}
      />
    </Form>
  );
}

interface SendProps {
  at: At;
  seen: Seen;
  onSent: () => void;
  onBack: () => void;
}

function Send({ at, seen: { message, answer }, onSent, onBack }: SendProps) {
  const change = useChange('imports.announce', onSent);
  const mode = useMode();
  const { count, mail } = answer;
  return (
    <>
      <p role="status">{count === 0 ? words.nobodyToTell : words.wouldTell(count)}</p>
      {mail && (
        <section aria-label={words.mail} tabIndex={0} className="json letter">
          <b>{words.subject(mail.subject)}</b>
          {mail.text.split('\n\n').map((paragraph, at) => (
            <p key={at}>{paragraph}</p>
          ))}
        </section>
      )}
      <p className="fine">{mode === 'test' ? words.testMails : words.perDay}</p>
      <Problem error={change.error} />
      <div className="form-end">
        <button type="button" onClick={onBack}>
          {words.other}
        </button>
        {count > 0 && (
          <button
            type="button"
            className="primary"
            disabled={change.isPending}
            onClick={() => change.mutate({ ...at, ...bodyOf(message) })}
          >
            {words.sendTo(count)}
          </button>
        )}
      </div>
    </>
  );
}
