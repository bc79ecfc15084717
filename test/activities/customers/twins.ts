/** What is known of a sale that its shop reports under one id and Stripe tells under another. */
interface Twin {
  cents: number;
  /** The conversions that there are of it. */
  made: Set<'report' | 'invoice'>;
  /** Both were told in one moment, side by side. */
  isSideBySide: boolean;
  isJoined: boolean;
  /** A member has rejected the commission of the report. */
  isRejected: boolean;
  /** What was made first, of both. */
  older: 'report' | 'invoice' | null;
}

/** One sale is one conversion once it is known to be; until then one of two is flagged. */
export class Twins {
  protected readonly all = new Map<string, Twin>();

  tell(id: string, cents: number, by: 'report' | 'invoice', isSideBySide: boolean): void {
    const twin = this.at(id);
    twin.cents = cents;
    twin.isSideBySide ||= isSideBySide;
    if (twin.isJoined && twin.made.size > 0) return;
    twin.older ??= by;
    twin.made.add(by);
  }

  join(id: string): void {
    this.at(id).isJoined = true;
  }

  canReject(id: string): boolean {
    return this.at(id).made.has('report');
  }

  reject(id: string): void {
    this.at(id).isRejected = true;
  }

  /** What is due of each sale, and how many of its commissions are flagged while nothing joins them. */
  books(): { id: string; due: number; flagged: number | null }[] {
    const told = [...this.all].filter(([, { made }]) => made.size > 0);
    return told
      .map(([id, twin]) => ({ id, due: this.due(twin), flagged: this.flagged(twin) }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  private due(twin: Twin): number {
    const earned = Math.floor((twin.cents * 30 + 50) / 100);
    const standing = [...twin.made].filter((one) => one !== 'report' || !twin.isRejected);
    return earned * this.kept(twin, standing);
  }

  /** How many of those that stand are kept. */
  protected kept({ isJoined }: Twin, standing: readonly string[]): number {
    return isJoined ? Math.min(1, standing.length) : standing.length;
  }

  /** Null where a person or a join has said since what they are. */
  protected flagged({ made, isJoined, isRejected }: Twin): number | null {
    if (isJoined || isRejected) return null;
    return made.size === 2 ? 1 : 0;
  }

  private at(id: string): Twin {
    const nothing = { isSideBySide: false, isJoined: false, isRejected: false, older: null };
    const twin = this.all.get(id) ?? { cents: 0, made: new Set(), ...nothing };
    this.all.set(id, twin);
    return twin;
  }
}

export type { Twin };
