import type { ManagementKeyPrincipal } from '../../activities/credentials/principals';
import { resolvePastedReferral } from '../../activities/partners/referral-tokens';
import { AppError } from '../../entities/errors';
import { publicOrServerKey } from '../http/contract/credential';
import type { RequestContext } from '../http/contract/request';
import type { ClickBody } from './clicks.dto';

/** Of the recording of clicks: whose keys it takes, and the role of one that manages. */
export const clickAuth = publicOrServerKey('member');

/**
 * FORBIDDEN for a ref of another programme than the one that the key is bound to. A ref that leads
 * nowhere is nobody's, and nothing is recorded of it.
 */
export async function requireOwnProgram(
  ctx: RequestContext,
  { workspaceId, mode, programId }: ManagementKeyPrincipal,
  { ref }: Pick<ClickBody, 'ref'>,
): Promise<void> {
  if (programId === null) return;
  const found = await resolvePastedReferral(ctx.deps.db.manager, { workspaceId, mode }, ref);
  if (found && found.programId !== programId) throw new AppError('FORBIDDEN');
}
