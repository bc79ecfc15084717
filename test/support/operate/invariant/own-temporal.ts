import { claimAnyPort } from '../../../../stack/parts/ports';
import { launch, type RunningProcess } from '../../../../stack/parts/process';
import { setUpTemporal } from '../../../../stack/parts/temporal';

export interface OwnTemporal {
  address: string;
  /** Restarts the server at the same address with an empty store. */
  empty(): Promise<void>;
  stop(): Promise<void>;
}

/** A server of the suite's own, whose data lives and ends with its process; its log is in this folder. */
export async function startOwnTemporal(dir: string): Promise<OwnTemporal> {
  const port = await claimAnyPort();
  const { address, spec } = setUpTemporal({ dir, port, namespace: 'default' });
  let running: RunningProcess = await launch(spec);
  return {
    address,
    async empty() {
      await running.stop();
      running = await launch(spec);
    },
    stop: () => running.stop(),
  };
}
