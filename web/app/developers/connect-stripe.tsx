import type { StripeConnectionDto } from '../../session/records';
import { useChange, useMode } from '../../session/use-session';
import { text } from '../../text/en';
import { ConfirmButton, FormButton } from '../../ui/ask';
import { Field } from '../../ui/plain-form';
import { Copyable } from '../../ui/values';
import { stripeEventKinds } from './stripe-event-kinds';

const words = text.app.developers;

interface ConnectProps {
  path: string;
  of: StripeConnectionDto;
}

/** The two ways to connect: by a key, which makes the webhook itself, or by a webhook made by hand. */
export function Connect({ path, of }: ConnectProps) {
  const change = useChange();
  return (
    <div className="inline-actions">
      <FormButton
        label={words.connectStripe}
        submit={text.save}
        isWide
        send={({ restrictedKey, webhookSecret }) =>
          change.mutateAsync({
            path,
            method: 'PUT',
            body: {
              ...(restrictedKey && { restrictedKey }),
              ...(webhookSecret && { webhookSecret }),
            },
          })
        }
      >
        <ByKey />
        <ByHand url={of.url} />
      </FormButton>
      {of.status !== 'not_connected' && (
        <ConfirmButton
          label={words.disconnect}
          className="danger"
          call={{ path, method: 'DELETE' }}
        >
          <p>{words.disconnectHint}</p>
        </ConfirmButton>
      )}
    </div>
  );
}

function ByKey() {
  const mode = useMode();
  const keys = `https://dashboard.stripe.com/${mode === 'test' ? 'test/' : ''}apikeys/create`;
  return (
    <>
      <ol className="story">
        <li>
          {words.makeKey}{' '}
          <a href={keys} target="_blank" rel="noreferrer">
            {words.openStripe}
          </a>
        </li>
        <li>
          {words.givePermissions}
          <ul className="chips">
            {words.permissions.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </li>
        <li>{words.pasteKey}</li>
      </ol>
      <Field
        label={words.restrictedKey}
        name="restrictedKey"
        autoComplete="off"
        placeholder={`rk_${mode}_…`}
        hint={words.keyHint}
      />
    </>
  );
}

function ByHand({ url }: { url: string }) {
  return (
    <details>
      <summary>{words.byHand}</summary>
      <p>{words.byHandHint}</p>
      <p>
        {words.endpoint}: <Copyable value={url} />
      </p>
      <p>
        {words.events}: <Copyable value={stripeEventKinds.join(', ')} />
      </p>
      <Field
        label={words.webhookSecret}
        name="webhookSecret"
        autoComplete="off"
        placeholder="whsec_…"
      />
    </details>
  );
}
