import { useState } from 'react';
import { useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { Field, Form } from '../../ui/form';
import { Copyable } from '../../ui/values';
import type { Program } from '../../session/records';

const words = text.app.getStarted;

/** The answer carries the link, so that one can play the partner in another window. */
export function FirstPartner({ program }: { program: Program }) {
  const [inviteUrl, setInviteUrl] = useState<string>();
  const change = useChange<{ inviteUrl: string }>((invite) => setInviteUrl(invite.inviteUrl));
  if (!useMay('member')) return <p>{text.notAllowed}</p>;
  const path = `/api/v1/programs/${program.id}/invites`;
  if (inviteUrl !== undefined) {
    return (
      <>
        <p>{words.invited}</p>
        <Copyable value={inviteUrl} />
      </>
    );
  }
  return (
    <Form
      submit={text.app.partners.invite}
      onSubmit={({ email, name }) =>
        change.mutateAsync({ path, method: 'POST', body: { email, ...(name && { name }) } })
      }
    >
      <p>{words.partnerHint}</p>
      <Field label={text.name} name="name" />
      <Field label={text.email} name="email" type="email" />
    </Form>
  );
}
