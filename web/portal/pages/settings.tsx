import { Personal } from '../../account/personal';
import { refused } from '../../session/refused';
import { useAccount, useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { Field, Form } from '../../ui/form';
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
    <DialogButton label={words.erase} className="danger">
      {() => (
        <Form
          submit={words.eraseForEver}
          onSubmit={async ({ typed }) => {
            if (typed !== email) throw refused('typed', words.typeEmail(email));
            const body = { confirmation: 'DELETE' };
            await session.call('/api/v1/partner/account/erase', { method: 'POST', body });
            await session.leave();
          }}
        >
          {(problem) => (
            <>
              <p>{words.eraseWhat}</p>
              <Field label={words.typeEmail(email)} name="typed" problem={problem('typed')} />
            </>
          )}
        </Form>
      )}
    </DialogButton>
  );
}
