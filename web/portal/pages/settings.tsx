import { Personal } from '../../account/personal';
import { useAccount, useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { TypedButton } from '../../ui/ask';
import { ExportButton } from '../../ui/export-button';
import { Page, Section } from '../../ui/page';

const words = text.portal.settings;

export default function SettingsPage() {
  return (
    <Page title={text.portal.nav.settings}>
      <Personal />
      <Section title={words.data}>
        <div className="inline-actions">
          <ExportButton path="/api/v1/partner/account/export" method="POST" label={words.export} />
          <EraseAccount />
        </div>
      </Section>
    </Page>
  );
}

/** Two steps: what goes is said first, then the address is typed. */
function EraseAccount() {
  const session = useSession();
  const email = useAccount()?.email ?? '';
  return (
    <TypedButton
      label={words.erase}
      submit={words.eraseForEver}
      expected={email}
      ask={words.typeEmail(email)}
      hint={words.eraseWhat}
      send={async () => {
        const body = { confirmation: 'DELETE' };
        await session.call('/api/v1/partner/account/erase', { method: 'POST', body });
        await session.leave();
      }}
    />
  );
}
