import { lockSubject } from '../../../../activities/erasure/lock';
import { anonymiseSubject } from '../../../../activities/erasure/anonymise';
import type { CommandContext } from '../../../../activities/journal/cause';
import { applyInTransaction } from '../../../../activities/billing/payments/apply';
import { updateProgram } from '../../../../activities/programs/programs';
import { query, type Db } from '../../../../entities/database/sql';
import { newId } from '../../../../entities/ids';
import { readStripeFacts } from '../../../../entities/rules/stripe/read-event';
import { processorActor, systemActor } from '../../../../entities/rules/values/actor';
import type { Program } from '../../../../entities/tables/programs/program.entity';
import { buildPartner } from '../../../support/build/accounts';
import { buildClick } from '../../../support/build/clicks';
import { buildParticipant, buildProgram, buildPromoCode } from '../../../support/build/programs';
import type { TestDeps } from '../../../support/app';
import type { StripeTestEvent } from '../../../support/stripe/fixtures';
import { termsOf, type Partner, type TermsKind } from './entries';
import { minPayoutCents } from './payouts';

const begin = Math.floor(Date.now() / 1_000) - 7_200;

const clickedAt = new Date((begin - 60) * 1_000);

/** A workspace with one programme and two partners, on the service's own commands. Test mode. */
export class Shop {
  /** The fingerprint after the last step. */
  seen: string | undefined;

  /** Seconds since the beginning: no two things happen at once. */
  private second = 0;

  private constructor(
    readonly deps: TestDeps,
    readonly program: Program,
    readonly partners: readonly (Partner & { code: string; clickId: string })[],
    private readonly suffix: string,
  ) {}

  static async open(deps: TestDeps): Promise<Shop> {
    const db = deps.db.manager;
    const program = await buildProgram(db, {
      mode: 'test',
      minPayoutCents,
      acceptedCurrencies: ['eur'],
    });
    const account = await buildPartner(db);
    const partners = [];
    for (const [index, partnerId] of [account.id, newId()].entries()) {
      const participant = await buildParticipant(db, { program, partnerId });
      const { code } = await buildPromoCode(db, participant);
      const { id: clickId } = await buildClick(db, { participant, at: clickedAt });
      const fresh = { isSuspended: false, isErased: false };
      partners.push({
        index,
        id: participant.id,
        hasAccount: index === 0,
        code,
        clickId,
        ...fresh,
      });
    }
    return new Shop(deps, program, partners, newId());
  }

  get db(): Db {
    return this.deps.db.manager;
  }

  get scope() {
    const { workspaceId, mode } = this.program;
    return { workspaceId, mode };
  }

  /** A second later than everything before. */
  tick(): number {
    return (this.second += 1);
  }

  timeOf = (second: number): Date => new Date((begin + second) * 1_000);

  context(): CommandContext {
    return { scope: this.scope, actor: systemActor, now: this.timeOf(this.tick()) };
  }

  /** The name of something of this shop, such as an id of Stripe's. */
  idOf = (name: string): string => `${name}_${this.suffix.replaceAll('-', '')}`;

  /** Has sales earn by these terms from now on. */
  async offer(kind: TermsKind, more: { autoApprove: boolean; holdDays: number }): Promise<void> {
    const { commissionType: type, ...terms } = termsOf[kind];
    const commission = { type, ...terms, recurring: false, recurringMonths: null };
    const patch = { commission, ...more };
    await updateProgram(this.db, this.context(), { programId: this.program.id, patch });
  }

  /** The conversion that an id of the payment leads to, and its commission, if it earns. */
  async soldAs(alias: string): Promise<{ id: string; commission: { id: string } | null }> {
    const [row] = await query<{ id: string; commissionId: string | null }>(
      this.db,
      `SELECT a.conversion_id AS id, m.id AS "commissionId"
         FROM conversion_aliases AS a LEFT JOIN commissions AS m ON m.conversion_id = a.conversion_id
        WHERE a.workspace_id = $1 AND a.mode = $2 AND a.alias = $3`,
      [this.scope.workspaceId, this.scope.mode, alias],
    );
    if (!row) throw new Error('nothing was sold');
    return { id: row.id, commission: row.commissionId === null ? null : { id: row.commissionId } };
  }

  async tellStripe(event: StripeTestEvent): Promise<void> {
    const facts = readStripeFacts(event, new Date(event.created * 1_000).toISOString());
    if (!facts) throw new Error('the event tells nothing');
    const context = { ...this.context(), actor: processorActor };
    await applyInTransaction(this.db, context, { biller: 'stripe', facts, prospect: null });
  }

  async erase({ id: subjectId }: Partner): Promise<void> {
    const { db, vault } = this.deps;
    const { now, actor } = this.context();
    const erasureId = newId();
    const subject = { erasureId, kind: 'participant', subjectId } as const;
    await lockSubject({ db, vault }, { now, actor }, subject);
    await anonymiseSubject({ db, vault }, { now }, erasureId);
  }
}
