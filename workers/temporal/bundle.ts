import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';

/** Build step: all workflows in one file, so that a worker starts without a bundler. */
async function buildWorkflowBundle(workflowsPath: string, outFile: string): Promise<void> {
  const quiet = (): void => undefined;
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: [join(workflowsPath, 'request-trail')],
    logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  writeFileSync(outFile, code);
}

if (require.main === module) {
  const root = join(__dirname, '../..');
  void buildWorkflowBundle(join(root, 'workflows'), join(root, 'workflow-bundle.js'));
}
