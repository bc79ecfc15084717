import { subscribableKinds } from '../../entities/rules/webhooks/events';
import { eventKinds } from '../../web/app/developers/event-kinds';

// The pages import nothing of the service, so what they offer is held to it here.
it('the dashboard offers every kind of event that an endpoint may ask for, and no other', () => {
  expect([...eventKinds].sort()).toEqual([...subscribableKinds].sort());
});
