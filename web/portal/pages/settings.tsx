import { Personal } from '../../account/personal';
import { useAccount, useSession } from '../../session/use-session';
import { nav as navWords } from '../../text/en/portal/nav';
import { settings as words } from '../../text/en/portal/settings';
import { TypedButton } from '../../ui/ask';
import { ExportButton } from '../../ui/export-button';
import { Page, Section } from '../../ui/page';

export default function SettingsPage() {
  return (
    <Page title={navWords.settings}>
      <Personal />
      <Section title={words.data}>
        <div className="inline-actions">
          <ExportButton call="erasure.exportPartnerAccount" label={words.export} />
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
        await session.ask('erasure.erasePartnerAccount', { confirmation: 'DELETE' });
        await session.leave();
      }}
    />
  );
}
