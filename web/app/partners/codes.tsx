import { useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { FormButton, ActButton } from '../../ui/ask';
import { Field, Form } from '../../ui/plain-form';
import { Section } from '../../ui/page';
import { Copyable, Facts } from '../../ui/values';
import type { Participant } from '../../session/records';

const words = text.app.partners;

/** The code that a partner's links carry, and those that buyers type. */
export function Codes({
  path,
  of: { promoCodes, referralCode },
}: {
  path: string;
  of: Participant;
}) {
  const change = useChange();
  const may = useMay('member');
  return (
    <Section
      title={words.codes}
      actions={may && <ReferralCode path={path} referralCode={referralCode} />}
    >
      <Facts of={[[words.referralCode, referralCode && <Copyable value={referralCode} />]]} />
      <ul className="chips">
        {promoCodes.map((code) => (
          <li key={code}>
            <code>{code}</code>
            {may && (
              <ActButton
                label="×"
                name={words.removeCode(code)}
                className="quiet"
                call={{
                  path: `${path}/promo-codes/${encodeURIComponent(code)}`,
                  method: 'DELETE',
                }}
              />
            )}
          </li>
        ))}
      </ul>
      {may && (
        <Form
          submit={words.addCode}
          onSubmit={({ code }) =>
            change.mutateAsync({ path: `${path}/promo-codes`, method: 'POST', body: { code } })
          }
        >
          <Field label={words.code} name="code" />
        </Form>
      )}
    </Section>
  );
}

function ReferralCode({ path, referralCode }: { path: string; referralCode: string | null }) {
  const change = useChange();
  return (
    <FormButton
      label={words.changeReferralCode}
      submit={text.save}
      send={({ code }) =>
        change.mutateAsync({
          path: `${path}/referral-code`,
          method: 'PATCH',
          body: { referralCode: code },
        })
      }
    >
      <p>{words.oldCodeStays}</p>
      <Field
        label={words.referralCode}
        name="code"
        defaultValue={referralCode ?? ''}
        field="referralCode"
      />
    </FormButton>
  );
}
