import { noteProblem, operatorReasons } from '../../../entities/rules/values/operator-note';

const good = { operator: 'op-17', reasonCode: 'FRAUD' };

describe('the note of an operator', () => {
  it.each<[unknown, RegExp | undefined]>([
    [undefined, /Give an object/],
    [null, /Give an object/],
    ['FRAUD', /Give an object/],
    [{}, /Give a reasonCode of/],
    [{ operator: 'op-17' }, /Give a reasonCode of/],
    [{ ...good, reasonCode: 'BECAUSE' }, /Give a reasonCode of/],
    [{ ...good, text: 'Anna' }, /nothing else/],
    [{ reasonCode: 'FRAUD' }, /opaque id/],
    [{ ...good, operator: 'anna@example.com' }, /opaque id/],
    [{ ...good, operator: 7 }, /opaque id/],
    [{ ...good, operator: '' }, /opaque id/],
    [{ ...good, operator: 'x'.repeat(64) }, undefined],
    [{ ...good, operator: 'x'.repeat(65) }, /opaque id/],
    [{ ...good, operator: 'u_17-a' }, undefined],
    [good, undefined],
  ])('names who and why, or has a problem: %j', (note, expected) => {
    const problem = noteProblem(note);
    if (expected) expect(problem).toMatch(expected);
    else expect(problem).toBeUndefined();
  });

  it.each(operatorReasons.map((code) => [code]))('may say %s', (reasonCode) => {
    expect(noteProblem({ ...good, reasonCode })).toBeUndefined();
  });
});
