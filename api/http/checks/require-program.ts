import type { Principal } from '../../../activities/credentials/principals';
import { AppError } from '../../../entities/errors';
import type { ContractSpec, EndpointContext, ParamSpecs } from '../contract/contract';

/**
 * A key that is bound to a programme reaches what its path, query or body names as that programme's:
 * FORBIDDEN for another one, and for what names none.
 */
export async function requireProgram<P extends ParamSpecs, Q, B, A>(
  request: EndpointContext<P, Q, B, A>,
  { programOf }: Pick<ContractSpec<P, Q, B, A>, 'programOf'>,
): Promise<void> {
  const principal = request.principal as Principal | undefined;
  if (principal?.kind !== 'management_key' || principal.programId === null) return;
  const { input } = request;
  const named = [input.params, input.query, input.body].flatMap(programIdsIn);
  const found = await programOf?.(request);
  if (found) named.push(found);
  if (named.length === 0 || named.some((id) => id !== principal.programId))
    throw new AppError('FORBIDDEN');
}

function programIdsIn(input: unknown): unknown[] {
  const { programId } = (input ?? {}) as { programId?: unknown };
  return programId === undefined ? [] : [programId];
}
