import { randomBytes } from 'node:crypto';

/** A payment in the stand-in's own books. */
export interface StandInItem {
  itemId: string;
  batchId: string;
  reference: string;
  address: string;
  currency: string;
  /** The amount as it was sent: decimal. */
  value: string;
  note: string;
  word: string | null;
  error: { name: string; message: string } | null;
  transactionId: string | null;
  fee: string | null;
  processedAt: string | null;
  /** True for a payment that is left out of every list. */
  isUnlisted: boolean;
}

export interface StandInBatch {
  batchId: string;
  clientId: string;
  senderBatchId: string;
  subject: string;
  word: string;
  at: Date;
  items: StandInItem[];
}

export interface SentItem {
  reference: string;
  address: string;
  currency: string;
  value: string;
  note: string;
}

/** PayPal forgets the id that a sender gave after this long. */
const remembersMs = 30 * 24 * 3_600_000;

const newId = (): string => randomBytes(7).toString('hex').slice(0, 13).toUpperCase();

/** Batches by the ids of their senders, and the money that went out by them. */
export class Books {
  readonly batches = new Map<string, StandInBatch>();
  private readonly senders = new Map<string, string>();

  constructor(private readonly now: () => Date) {}

  /** The batch that has the sender's id: unless it was denied, or that was long ago. */
  known(clientId: string, senderBatchId: string): StandInBatch | undefined {
    const batch = this.batches.get(this.senders.get(`${clientId} ${senderBatchId}`) ?? '');
    if (!batch || batch.word === 'DENIED') return undefined;
    return this.now().getTime() - batch.at.getTime() < remembersMs ? batch : undefined;
  }

  take(
    clientId: string,
    { senderBatchId, subject }: { senderBatchId: string; subject: string },
    sent: readonly SentItem[],
  ): StandInBatch {
    const batchId = newId();
    const items = sent.map((item) => ({
      ...item,
      itemId: newId(),
      batchId,
      word: null,
      error: null,
      transactionId: null,
      fee: null,
      processedAt: null,
      isUnlisted: false,
    }));
    const at = this.now();
    const batch = { batchId, clientId, senderBatchId, subject, word: 'PENDING', at, items };
    this.batches.set(batchId, batch);
    this.senders.set(`${clientId} ${senderBatchId}`, batchId);
    return batch;
  }

  /** Every payment of a reference, oldest first. */
  itemsOf(reference: string): StandInItem[] {
    return [...this.batches.values()].flatMap(({ items }) =>
      items.filter((item) => item.reference === reference),
    );
  }

  item(itemId: string): StandInItem | undefined {
    for (const { items } of this.batches.values()) {
      const found = items.find((item) => item.itemId === itemId);
      if (found) return found;
    }
    return undefined;
  }

  /** What became of the last payment of a reference. */
  say(
    reference: string,
    word: string | null,
    more: Partial<Pick<StandInItem, 'error' | 'fee' | 'processedAt' | 'transactionId'>> = {},
  ): void {
    const item = this.itemsOf(reference).at(-1);
    if (!item) throw new Error(`nobody was paid by ${reference}`);
    this.sayOf(item, word, more);
  }

  sayOf(
    item: StandInItem,
    word: string | null,
    more: Partial<Pick<StandInItem, 'error' | 'fee' | 'processedAt' | 'transactionId'>> = {},
  ): void {
    item.word = word;
    item.transactionId = word === 'SUCCESS' ? newId() : item.transactionId && newId();
    Object.assign(item, more);
  }

  /** Every item of every batch went out, and the batches are done. */
  payAll(): void {
    for (const batch of this.batches.values()) {
      for (const item of batch.items) this.sayOf(item, 'SUCCESS', { fee: '0.25' });
      batch.word = 'SUCCESS';
    }
  }

  /** How often money is out by a reference now. */
  outBy(reference: string): number {
    return this.itemsOf(reference).filter(({ word }) => word === 'SUCCESS').length;
  }
}
