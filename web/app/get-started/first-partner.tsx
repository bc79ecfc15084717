import { useState } from 'react';
import { useApi, useChange, useMay, useMode } from '../../session/use-session';
import { text } from '../../text/en';
import { Field, Form } from '../../ui/plain-form';
import { Problem } from '../../ui/page';
import type { Paged } from '../../ui/table';
import { Copyable } from '../../ui/values';
import type { PartnerInviteDto, Program } from '../../session/records';

const words = text.app.getStarted;

/** The answer carries the link, so that one can play the partner in another window. */
export function FirstPartner({ program }: { program: Program }) {
  const mode = useMode();
  const path = `/api/v1/programs/${program.id}/invites`;
  const [inviteUrl, setInviteUrl] = useState<string>();
  const change = useChange<{ inviteUrl: string }>((invite) => setInviteUrl(invite.inviteUrl));
  const open = useApi<Paged<PartnerInviteDto>>(path, { limit: 20 });
  const waiting = open.data?.data.find(({ status }) => status === 'pending');
  if (!useMay('member')) return <p>{text.notAllowed}</p>;
  const inviting = ({ email, name }: Pick<PartnerInviteDto, 'email' | 'name'>) =>
    ({ path, method: 'POST', body: { email, ...(name && { name }) } }) as const;
  if (inviteUrl !== undefined) {
    return (
      <>
        <p>{mode === 'test' ? words.invitedInTest : words.invited}</p>
        <Copyable value={inviteUrl} />
      </>
    );
  }
  return (
    <>
      {waiting && (
        <p>
          {words.waits(waiting.email)}{' '}
          <button
            type="button"
            disabled={change.isPending}
            onClick={() => change.mutate(inviting(waiting))}
          >
            {words.newLink}
          </button>
        </p>
      )}
      {waiting && <Problem error={change.error} />}
      <Form
        submit={text.app.partners.invite}
        onSubmit={({ email = '', name = '' }) => change.mutateAsync(inviting({ email, name }))}
      >
        <p>{words.partnerHint}</p>
        <Field label={text.name} name="name" />
        <Field label={text.email} name="email" type="email" />
      </Form>
    </>
  );
}
