import { existsSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';
import { runFolder } from '../run/run-folder';

/** All workflows in one file, bundled by the first suite of a run that asks; for `Worker.create`. */
export async function workflowBundle(): Promise<{ codePath: string }> {
  const codePath = path.join(runFolder(), 'workflows.js');
  if (!existsSync(codePath)) {
    const { code } = await bundleWorkflowCode({
      workflowsPath: require.resolve('../../../workflows'),
      workflowInterceptorModules: [require.resolve('../../../workflows/request-trail')],
      logger: new DefaultLogger('ERROR'),
    });
    // Another suite may do the same at the same time; neither may see half of it.
    const own = `${codePath}.${process.pid}`;
    writeFileSync(own, code);
    renameSync(own, codePath);
  }
  return { codePath };
}
