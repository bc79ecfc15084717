import { newId } from '../../../entities/ids';
import { generateSecrets } from '../../../runtime/config/secrets';
import { loadConfig } from '../../../runtime/config/config';
import { createVault, type BoxPlace } from '../../../runtime/crypto/vault';
import { rememberOpened, type Opener } from '../../../workers/dispatcher/opened-secrets';

const vault = createVault(loadConfig(generateSecrets()).secrets);
const placeOf = (endpointId: string): BoxPlace => ['webhook_endpoints.secret', endpointId];

function counted(): Opener & { opened: () => number } {
  let opened = 0;
  return {
    opened: () => opened,
    decrypt(box, place) {
      opened += 1;
      return vault.decrypt(box, place);
    },
  };
}

describe('the secret of a busy endpoint', () => {
  it('is opened once, and once more when it was rotated', () => {
    const place = placeOf(newId());
    const [first, rotated] = [vault.encrypt('first', place), vault.encrypt('second', place)];
    const real = counted();
    const opener = rememberOpened(real);
    const seen = [first, first, rotated, first, rotated].map((box) => opener.decrypt(box, place));
    expect(seen).toEqual(['first', 'first', 'second', 'first', 'second']);
    expect(real.opened()).toBe(2);
  });

  it('opens at its own place only', () => {
    const place = placeOf(newId());
    const box = vault.encrypt('mine', place);
    const opener = rememberOpened(vault);
    expect(opener.decrypt(box, place)).toBe('mine');
    expect(() => opener.decrypt(box, placeOf(newId()))).toThrow();
  });

  it('is forgotten when too many others are at work', () => {
    const boxes = [1, 2, 3].map((n) => {
      const place = placeOf(newId());
      return { place, box: vault.encrypt(`secret ${n}`, place) };
    });
    const real = counted();
    const opener = rememberOpened(real, 2);
    for (const { box, place } of [...boxes, ...boxes]) opener.decrypt(box, place);
    expect(real.opened()).toBe(6);
  });
});
