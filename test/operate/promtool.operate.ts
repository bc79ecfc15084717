import { alarms } from '../support/alarms';
import { promtool } from '../support/operate/prometheus';

// It works out hours of samples while the other suites keep both processors busy.
jest.setTimeout(240_000);

it('promtool takes the rules', async () => {
  const said = await promtool('check', 'rules', 'operate/alarms.yml');
  expect(said).toContain(`SUCCESS: ${alarms().length} rules found`);
});

it('each alarm fires when it is to, and its neighbour stays silent', async () => {
  expect(await promtool('test', 'rules', 'operate/alarms.test.yml')).toContain('SUCCESS');
});
