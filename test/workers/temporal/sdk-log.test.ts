import { fieldsOf } from '../../../workers/temporal/sdk-log';

describe('a line of the SDK', () => {
  it('names the run whose task fails, and why, without the stack', () => {
    const failure =
      'Failure { failure: Some(Failure { message: "[TMPRL1100] no \\"timer\\"", source: "TypeScriptSDK", ' +
      'stack_trace: "at a", cause: Some(Failure { message: "another" }) }), force_cause: Unspecified }';
    const meta = { sdkComponent: 'core', target: 'temporalio_sdk_core', runId: 'a-run', failure };
    expect(fieldsOf(meta)).toEqual({
      source: 'temporal',
      runId: 'a-run',
      failure: '[TMPRL1100] no \\"timer\\"',
    });
  });

  it('has the error of a workflow that this code does not know', () => {
    const error = new TypeError('no such function');
    const meta = { taskQueue: 'commissions', runId: 'a-run', error, workflowExists: false };
    expect(fieldsOf(meta)).toEqual({ source: 'temporal', runId: 'a-run', err: error });
  });

  it('may be of no run, and written in another way', () => {
    expect(fieldsOf()).toEqual({ source: 'temporal' });
    expect(fieldsOf({ failure: 'x'.repeat(500) }).failure).toHaveLength(300);
  });
});
