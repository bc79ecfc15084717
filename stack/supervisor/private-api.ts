import { forgetChild, recordChild } from '../parts/children';
import { claimAnyPort } from '../parts/ports';
import { launch } from '../parts/process';
import type { PartAddresses } from './parts';
import type { Ports } from './ports';
import { apiSpec, serviceAddresses } from './services';
import type { StackSettings } from './settings';

const NAME = 'private-api';

/** What the stack sends to itself must use up no client's limits, and nothing is before it that could speak TLS. */
const UNBOUND = {
  REQUIRE_HTTPS: 'false',
  RATE_LIMIT_AUTH: '0',
  RATE_LIMIT_GENERAL: '0',
  RATE_LIMIT_CONVERSIONS: '0',
};

/** Runs work against an API process of its own, which ends with the work. */
export async function withPrivateApi<T>(
  settings: StackSettings,
  { ports, parts, signal }: { ports: Ports; parts: PartAddresses; signal: AbortSignal },
  work: (apiUrl: string) => Promise<T>,
): Promise<T> {
  const own = { ...ports, api: await claimAnyPort(), admin: await claimAnyPort() };
  const spec = apiSpec(settings, own, parts);
  const { stackDir, environment } = settings;
  const PUBLIC_BASE_URL = environment.PUBLIC_BASE_URL ?? serviceAddresses(settings, ports).apiUrl;
  const api = await launch(
    {
      ...spec,
      name: NAME,
      env: { ...spec.env, ...UNBOUND, PUBLIC_BASE_URL },
      // Every answer has come by then: there is nothing to finish.
      stopSignal: 'SIGKILL',
      onSpawn: (pid) => recordChild(stackDir, NAME, pid),
    },
    signal,
  );
  try {
    return await work(serviceAddresses(settings, own).apiUrl);
  } finally {
    await api.stop();
    forgetChild(stackDir, NAME);
  }
}
