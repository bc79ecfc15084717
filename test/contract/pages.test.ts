import { subscribableKinds } from '../../entities/rules/webhooks/events';
import { figureOfType } from '../../entities/rules/commissions/statement-figures';
import { stripeEventTypes } from '../../entities/rules/stripe/read-event';
import { paddleEventTypes } from '../../entities/rules/paddle/rules';
import { polarEventTypes } from '../../entities/rules/polar/rules';
import { billerEventKinds } from '../../web/app/billing/event-kinds';
import { askedKinds } from '../../web/app/developers/event-kinds';
import { figureOfType as shownFigureOfType } from '../../web/app/payouts/figures';

// The pages import nothing of the service, so what they offer is held to it here.
it('the dashboard offers every kind of event that an endpoint may ask for, and no other', () => {
  expect([...askedKinds].sort()).toEqual([...subscribableKinds].sort());
});

it.each([
  ['stripe', stripeEventTypes],
  ['paddle', paddleEventTypes],
  ['polar', polarEventTypes],
] as const)(
  'asks for the events of %s that are read, where an endpoint is made by hand',
  (biller, types) => {
    expect([...billerEventKinds[biller]].sort()).toEqual([...types].sort());
  },
);

it('the books lead from each figure to the entries that it sums up', () => {
  expect(shownFigureOfType).toEqual(figureOfType);
});
