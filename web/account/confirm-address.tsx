import { useAccount } from '../session/use-session';
import { text } from '../text/en';

/** Says to a new account that a mail waits for it; the local stack delivers none, but shows them. */
export function ConfirmAddress() {
  const account = useAccount();
  if (!account || account.emailVerified) return null;
  const isLocal = document.querySelector('meta[name="demo-shop"]') !== null;
  return (
    <p role="note" className="notice-box">
      {text.personal.confirmAddress(account.email)}
      {isLocal && ` ${text.personal.mailsHere}`}
    </p>
  );
}
