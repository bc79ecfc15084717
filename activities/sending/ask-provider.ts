import type { PayoutBatch } from '../../entities/tables/payouts/payout-batch.entity';
import type {
  AskAnswer,
  ItemAnswer,
  KeptAnswer,
  PayoutProvider,
  ProviderAccess,
  SendAnswer,
} from '../../runtime/payout-providers/provider';
import { providerNamed } from '../../runtime/payout-providers/providers';
import { accessOf, credentialOf, findConnection, type SendingDeps } from './connection';
import { LeaseLost, type Lease } from './lease';
import { scopeOf } from './batches';

/** What a try came to; of a batch that the provider has already, what it lists of it. */
export interface TryAnswer {
  sent: SendAnswer;
  listed?: AskAnswer;
}

/** Says a batch, once, by the account that it was made for. */
export async function tryBatch(
  deps: SendingDeps,
  lease: Lease,
  batch: PayoutBatch,
): Promise<TryAnswer> {
  const asking = await askingOf(deps, lease, batch);
  if (!asking || batch.request === null) return { sent: { kind: 'not_sent', answer: unconnected } };
  const { provider, access } = asking;
  const request = deps.vault.decrypt(batch.request, ['payout_batches.request', batch.id]);
  const sent = await provider.send(access, request);
  if (sent.kind !== 'known') return { sent };
  const listed = await provider.ask(access, sent.providerBatchId).catch(unlessLost);
  return { sent, ...(listed && { listed }) };
}

/** The id that was named is kept, though somebody else may be asking by now. */
function unlessLost(error: unknown): undefined {
  if (!(error instanceof LeaseLost)) throw error;
}

/** Asks what became of a batch; by the id that the provider named, or by another one. */
export async function askBatch(
  deps: SendingDeps,
  lease: Lease,
  batch: PayoutBatch & { askFor?: string },
): Promise<AskAnswer> {
  const id = batch.askFor ?? batch.providerBatchId ?? batch.candidateId;
  const asking = await askingOf(deps, lease, batch);
  if (!asking || id === null) return { kind: 'unknown', answer: unconnected };
  const answer = await asking.provider.ask(asking.access, id);
  const isAnother = answer.kind === 'batch' && answer.batch.providerBatchId !== id;
  return isAnother ? { kind: 'unknown', answer: answer.answer } : answer;
}

/** Asks to take one payment back, and what became of it. */
export async function cancelItem(
  deps: SendingDeps,
  lease: Lease,
  { batch, providerItemId }: { batch: PayoutBatch; providerItemId: string },
): Promise<ItemAnswer> {
  const asking = await askingOf(deps, lease, batch);
  if (!asking) return { kind: 'unknown', answer: unconnected };
  return asking.provider.cancel(asking.access, providerItemId);
}

const unconnected: KeptAnswer = {
  httpStatus: null,
  name: null,
  message: 'The account that it was sent by is not connected.',
  debugId: null,
};

interface Asking {
  provider: PayoutProvider;
  access: ProviderAccess;
}

async function askingOf(
  deps: SendingDeps,
  lease: Lease,
  batch: PayoutBatch,
): Promise<Asking | undefined> {
  const scope = scopeOf(batch);
  const { provider } = batch;
  const connection = await findConnection(deps.db.manager, scope, { provider });
  if (!connection || connection.clientId !== batch.clientId) return undefined;
  const credential = { ...credentialOf(deps, connection), hold: lease.hold };
  return { provider: providerNamed(provider), access: accessOf(deps, scope, credential) };
}
