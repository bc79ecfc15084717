import { readStripeFacts } from '../../../entities/rules/stripe/read-event';
import {
  eventWithoutBuyer,
  eventWithoutPerson,
  headOfEvent,
} from '../../../entities/rules/erasure/stripe-event';
import { erasedText } from '../../../entities/rules/erasure/erasure';
import { identifyingTexts } from '../../../entities/rules/erasure/identity';

const session = {
  id: 'cs_1',
  object: 'checkout.session',
  payment_status: 'paid',
  payment_intent: 'pi_1',
  amount_total: 5_000,
  currency: 'usd',
  client_reference_id: '0190c4a0-dead-7000-8000-000000000001',
  metadata: { aff_click_id: '0190c4a0-dead-7000-8000-000000000001', note: 'from Max, thanks' },
  customer_email: 'buyer@other.example',
  customer_details: { name: 'Carla Card', email: 'buyer@other.example', address: { city: 'Ulm' } },
  discounts: [{ promotion_code: { id: 'promo_1', code: 'STORE', max_redemptions: 5 } }],
  payment_method_types: ['card', 'link'],
  success_url: 'https://store.example/store/thanks?ref=store',
  cancel_url: 'https://store.example/store/back',
};
const eventOf = (object: object) => ({
  id: 'evt_1',
  object: 'event',
  type: 'checkout.session.completed',
  created: 1_760_000_000,
  livemode: true,
  data: { object },
});
/** What the shop attached is words of its own, and loses the person as all words do. */
const factsOf = (event: unknown) => {
  const facts = readStripeFacts(event, '2026-01-01T00:00:00.000Z');
  const objects = facts?.objects.map(({ id, fact }) => ({ id, fact: { ...fact, metadata: null } }));
  return { ...facts, objects };
};

it.each(['object', 'Max', 'Card', 'Link', 'store', 'paid', 'usd', 'dead', 'https', 'event'])(
  'an erased partner called %s leaves the events of others their money and their signals',
  (name) => {
    const event = eventOf(session);
    const identifying = identifyingTexts({ names: [name], emails: [], codes: [name] });
    expect(factsOf(eventWithoutPerson(event, identifying))).toEqual(factsOf(event));
  },
);

it('replaces values alone, and a single word only where people write freely', () => {
  const identifying = identifyingTexts({ names: ['Max', 'Card'], emails: [], codes: ['store'] });
  expect(eventWithoutPerson(eventOf(session), identifying)).toEqual(
    eventOf({
      ...session,
      metadata: { ...session.metadata, note: erasedText },
      customer_details: { ...session.customer_details, name: null },
      success_url: erasedText,
    }),
  );
});

it('takes all contact data of a buyer who is the person, and nothing of the money', () => {
  const identifying = identifyingTexts({ names: [], emails: ['buyer@other.example'], codes: [] });
  const event = eventOf(session);
  const clean = eventWithoutPerson(event, identifying);
  expect(clean).toEqual(
    eventOf({
      ...session,
      customer_email: null,
      customer_details: { name: null, email: null, address: null },
    }),
  );
  expect(factsOf(clean)).toEqual({ ...factsOf(event), email: null });
});

it('takes of another buyer of the same name the name alone, and all by an address or two names', () => {
  const person = { name: 'Carla Card', email: 'c@other.example', phone: '+49 1' };
  const at = (object: object) => eventOf({ customer_details: object });
  const known = (names: string[], emails: string[] = []) =>
    identifyingTexts({ names, emails, codes: [] });
  expect(eventWithoutPerson(at(person), known(['Carla Card']))).toEqual(
    at({ ...person, name: null }),
  );
  const gone = at({ name: null, email: null, phone: null });
  expect(eventWithoutPerson(at(person), known(['Nobody Else'], ['c@other.example']))).toEqual(gone);
  const married = { ...person, individual_name: 'Carla Gray' };
  expect(eventWithoutPerson(at(married), known(['Carla Card', 'Carla Gray']))).toEqual(
    at({ name: null, email: null, phone: null, individual_name: null }),
  );
});

it('takes a single word of the person out of an address', () => {
  const identifying = identifyingTexts({ names: ['Max'], emails: [], codes: [] });
  const at = (line1: string) => eventOf({ address: { line1, city: 'Ulm' } });
  expect(eventWithoutPerson(at('c/o Max'), identifying)).toEqual(at(erasedText));
});

it('finds the person in unknown fields by an address or a name of several words', () => {
  const identifying = identifyingTexts({
    names: ['Ann Lee'],
    emails: ['ann@a.example'],
    codes: [],
  });
  const at = (text: string) => eventOf({ odd: { deep: [text] } });
  expect(eventWithoutPerson(at('ANN LEE, Ulm'), identifying)).toEqual(at(erasedText));
  expect(eventWithoutPerson(at('https://x.example/?to=ann%40a.example'), identifying)).toEqual(
    at(erasedText),
  );
  expect(eventWithoutPerson(at('joann leeson'), identifying)).toEqual(at('joann leeson'));
});

it('an event keeps only what it was about, once it was processed', () => {
  const { data: _data, ...head } = eventOf(session);
  expect(headOfEvent({ ...eventOf(session), api_version: '2025-03-31' })).toEqual({
    ...head,
    api_version: '2025-03-31',
    erased: true,
  });
});

describe('an event without its buyer', () => {
  const replacements = new Map([['cus_1', 'h-1']]);

  it('has no contact data, no free text and other ids; money, signals and codes stay', () => {
    const event = eventOf({
      ...session,
      customer: 'cus_1',
      customers: ['cus_1', 'cus_2', 7],
      description: 'for Carla',
      metadata: { ...session.metadata, order: { id: 'o-1', code: 'A', of: ['Carla', 'cus_1'] } },
    });
    expect(eventWithoutBuyer(event, replacements)).toEqual(
      eventOf({
        ...session,
        customer: 'h-1',
        customers: ['h-1', 'cus_2', 7],
        description: erasedText,
        metadata: {
          ...session.metadata,
          note: erasedText,
          order: { id: 'o-1', code: 'A', of: [erasedText, 'h-1'] },
        },
        customer_email: null,
        customer_details: { name: null, email: null, address: null },
      }),
    );
  });

  it('keeps what is no text where people write freely', () => {
    const event = { metadata: { count: 2, isGift: true, none: null } };
    expect(eventWithoutBuyer(event, replacements)).toEqual(event);
  });

  it('keeps its signals wherever they stand', () => {
    const event = { metadata: { aff_click_id: 'c-1', aff_note: 'n', id: 'x', own_code: 'y' } };
    expect(eventWithoutBuyer(event, replacements)).toEqual(event);
  });
});
