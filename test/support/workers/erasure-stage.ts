import { prepareNamespace } from '../../../workers/temporal/namespace';
import { startTestApp, type TestApp } from '../app';
import { startErasureWorker, type ErasureWorker } from './erasure';

export interface ErasureStage extends TestApp {
  worker: ErasureWorker;
}

/** The API with a worker for erasures, in a namespace that no other test shares. */
export async function openErasureStage(env: Record<string, string> = {}): Promise<ErasureStage> {
  const namespace = `erasure-${process.pid}-${Date.now()}`;
  // Copies are looked at a second time after two of these.
  const settings = { WEBHOOK_TIMEOUT_MS: '400', TEMPORAL_NAMESPACE: namespace, ...env };
  const app = await startTestApp(settings);
  await prepareNamespace({ address: app.deps.config.temporal.address, namespace });
  const worker = await startErasureWorker(app.deps);
  return {
    ...app,
    worker,
    async close() {
      await worker.stop();
      await app.close();
    },
  };
}
