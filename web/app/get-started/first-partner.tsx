import { useAnswer, useChange, useMay, useMode } from '../../session/use-session';
import { text } from '../../text/en';
import { getStarted as words } from '../../text/en/app/get-started';
import { partners as partnersWords } from '../../text/en/app/partners';
import { Field, Form } from '../../ui/plain-form';
import { Problem } from '../../ui/page';
import { Copyable } from '../../ui/values';
import type { PartnerInviteDto, Program } from '../../session/records';

/** The answer carries the link, so that one can play the partner in another window. */
export function FirstPartner({ program }: { program: Program }) {
  const mode = useMode();
  const invite = useChange('partners.invite');
  const open = useAnswer('partners.listInvites', { programId: program.id, limit: 20 });
  const waiting = open.data?.data.find(({ status }) => status === 'pending');
  if (!useMay('member')) return <p>{text.notAllowed}</p>;
  const inviting = ({ email, name }: Pick<PartnerInviteDto, 'email' | 'name'>) => ({
    ...{ programId: program.id, email },
    ...(name && { name }),
  });
  if (invite.data) {
    return (
      <>
        <p>
          {words.waitsFor(invite.variables.email)}{' '}
          {mode === 'test' ? words.invitedInTest : words.invited}
        </p>
        <Copyable value={invite.data.inviteUrl} />
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
            disabled={invite.isPending}
            onClick={() => invite.mutate(inviting(waiting))}
          >
            {words.newLink}
          </button>
        </p>
      )}
      {waiting && <Problem error={invite.error} />}
      <Form
        submit={partnersWords.invite}
        onSubmit={({ email = '', name = '' }) => invite.mutateAsync(inviting({ email, name }))}
      >
        <p>{words.partnerHint}</p>
        <Field label={text.name} name="name" />
        <Field label={text.email} name="email" type="email" />
      </Form>
    </>
  );
}
