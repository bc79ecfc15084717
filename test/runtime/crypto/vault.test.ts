import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createVault, type BoxPlace } from '../../../runtime/crypto/vault';
import { loadSecrets, generateSecrets } from '../../../runtime/process/secrets';

const secrets = loadSecrets({ ...generateSecrets(), STACK_DIR: '' }, true);
const vault = createVault(secrets);
const place: BoxPlace = ['webhook_endpoints.secret', 'one'];

/** As boxes were before they had a place. */
function sealWithoutPlace(text: string): string {
  const [current] = secrets.encryptionKeys;
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', current?.key ?? '', iv);
  const sealed = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return ['v1', current?.id, iv.toString('base64url'), sealed.toString('base64url')].join('.');
}

/** As the release before this one opens a box. */
function openWithoutPlace(box: string): string {
  const [, , iv = '', sealed = ''] = box.split('.');
  const bytes = Buffer.from(sealed, 'base64url');
  const key = secrets.encryptionKeys[0]?.key ?? '';
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), {
    authTagLength: 16,
  }).setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString();
}

describe('the vault', () => {
  it('gives back what it was given', () => {
    const box = vault.encrypt('geheim 🔑', place);
    expect(vault.decrypt(box, place)).toBe('geheim 🔑');
    expect(box.startsWith(vault.boxPrefix)).toBe(true);
  });

  it.each<{ other: BoxPlace }>([
    { other: ['webhook_endpoints.secret', 'two'] },
    { other: ['stripe_connections.webhook_secret', 'one'] },
    { other: ['webhook_endpoints.secret'] },
    { other: ['webhook_endpoints.secret', 'one', ''] },
  ])('opens a box nowhere but where it was made: $other', ({ other }) => {
    const box = vault.encrypt('geheim', place);
    expect(() => vault.decrypt(box, other)).toThrow();
    // Nor does it pass for one of those that have no place.
    expect(() => vault.decrypt(box.replace(/^v2/, 'v1'), other)).toThrow();
  });

  it('reads a box from before there were places', () => {
    expect(vault.decrypt(sealWithoutPlace('alt'), place)).toBe('alt');
  });

  it('writes what the release before reads, while that one runs, and reads both', () => {
    const before = createVault(secrets, 'v1');
    const box = before.encrypt('geheim', place);
    expect(box).toMatch(/^v1\./);
    expect(box.startsWith(before.boxPrefix)).toBe(true);
    expect(openWithoutPlace(box)).toBe('geheim');
    expect(vault.decrypt(box, place)).toBe('geheim');
    expect(before.decrypt(vault.encrypt('neu', place), place)).toBe('neu');
  });

  it.each([4, 8, 12, 15])('does not check a box with a tag of %d bytes', (length) => {
    const [version, id, iv, sealed = ''] = vault.encrypt('', place).split('.');
    const short = Buffer.from(sealed, 'base64url').subarray(0, length).toString('base64url');
    expect(() => vault.decrypt([version, id, iv, short].join('.'), place)).toThrow();
  });

  it('hashes an IPv6 address by its network', () => {
    expect(vault.ipHash('2001:db8:1:2::1')).toBe(vault.ipHash('2001:db8:1:2:ffff::9'));
    expect(vault.ipHash('2001:db8:1:2::1')).not.toBe(vault.ipHash('2001:db8:1:3::1'));
    expect(vault.ipHashes('2001:db8:1:2::1')).toEqual([vault.ipHash('2001:db8:1:2::2')]);
  });
});
