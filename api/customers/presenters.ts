import { isOfBiller } from '../../entities/rules/customers/binding';
import type { AttributionObject } from '../../entities/rules/attribution/conversion';
import type { CustomerRecord } from '../../activities/customers/find';
import type { SignUpOutcome } from '../../activities/purchases/sign-up';
import type { Mode } from '../../entities/rules/values/mode';
import { present } from '../http/contract/present';
import type { CustomerDto, SignedUpCustomerDto } from './customers.dto';
import { ProgramCustomerDto } from './program-customers.dto';

/** What a sign-up is answered with, whoever is credited. */
export function presentSignUp(
  outcome: SignUpOutcome,
  { customerId, mode, now }: { customerId: string; mode: Mode; now: Date },
): SignedUpCustomerDto {
  if (outcome.kind !== 'unattributed') return presentBinding(outcome.customer);
  return {
    id: null,
    customer_id: customerId,
    aliases: outcome.aliases,
    attributed: false,
    attribution: outcome.attribution,
    source: 'signup',
    bound_at: null,
    first_paid_at: null,
    mode,
    created_at: now.toISOString(),
  };
}

export function presentCustomer(customer: CustomerRecord): CustomerDto {
  return {
    ...presentBinding(customer),
    participant_id: customer.participantId,
    program_id: customer.programId,
    partner_name: customer.partnerName,
    conversions: customer.conversions,
    revenue: customer.revenue.map(({ currency, amountCents }) => ({
      currency,
      amount_cents: amountCents,
    })),
    bindings: customer.bindings.map(({ participantId, from, until, source }) => ({
      participant_id: participantId,
      from: from?.toISOString() ?? null,
      until: until?.toISOString() ?? null,
      source,
    })),
  };
}

function presentBinding(customer: CustomerRecord) {
  return {
    id: customer.id,
    customer_id: customer.customerId,
    aliases: customer.aliases,
    attributed: true,
    attribution: attributionOf(customer),
    source: customer.source,
    bound_at: customer.boundAt.toISOString(),
    first_paid_at: customer.firstPaidAt?.toISOString() ?? null,
    mode: customer.mode,
    created_at: customer.createdAt.toISOString(),
  };
}

/** A sale, a member or an import gives no sign-up's signal: the answer says who is credited all the same. */
function attributionOf(customer: CustomerRecord): AttributionObject {
  return (
    customer.attribution ?? {
      reason: 'ATTRIBUTED',
      explanation: explanationOf(customer),
      matched_by: null,
      click_id: null,
      promo_code: null,
      program_id: customer.programId,
      participant_id: customer.participantId,
      window_ends_at: null,
    }
  );
}

function explanationOf({ source }: CustomerRecord): string {
  const isBySale = source === 'conversion' || (source !== null && isOfBiller(source));
  return isBySale
    ? 'Bound to the partner of their first attributed sale.'
    : 'Bound to the partner by a member of the workspace.';
}

/** The same for members, under a programme. */
export function presentProgramCustomer(customer: CustomerRecord): ProgramCustomerDto {
  return present(ProgramCustomerDto, {
    ...customer,
    bindings: customer.bindings.map(({ from, until, ...period }) => ({
      ...period,
      from: from?.toISOString() ?? null,
      until: until?.toISOString() ?? null,
    })),
  });
}
