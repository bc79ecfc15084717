import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import {
  DefaultLogger,
  Runtime,
  Worker,
  bundleWorkflowCode,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { historiesDir } from '../support/workers/histories';
import { workflowTypes } from '../support/workers/workflow-types';

/** Every history of every release must replay on the code of today: running workflows will be replayed too. */
const files = readdirSync(historiesDir, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json'))
  .sort();

let workflowBundle: WorkflowBundleWithSourceMap;

beforeAll(async () => {
  const logger = new DefaultLogger('ERROR');
  Runtime.install({ logger });
  const workflowsPath = require.resolve('../../workflows');
  workflowBundle = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: [require.resolve('../../workflows/request-trail')],
    logger,
  });
}, 60_000);

describe('the stored history', () => {
  it.each(files)('%s replays', async (file) => {
    const history = historyFromJSON(JSON.parse(readFileSync(join(historiesDir, file), 'utf8')));
    await Worker.runReplayHistory({ workflowBundle }, history);
  });

  it('exists for every workflow type', () => {
    const kept = files.map((file) => {
      const history = JSON.parse(readFileSync(join(historiesDir, file), 'utf8')) as {
        events: { workflowExecutionStartedEventAttributes?: { workflowType?: { name: string } } }[];
      };
      return history.events[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name;
    });
    expect([...new Set(kept)].sort()).toEqual(workflowTypes());
  });
});
