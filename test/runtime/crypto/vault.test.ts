import { createVault, type BoxPlace } from '../../../runtime/crypto/vault';
import { loadSecrets, generateSecrets } from '../../../runtime/config/secrets';

const secrets = loadSecrets({ ...generateSecrets(), STACK_DIR: '' }, true);
const vault = createVault(secrets);
const place: BoxPlace = ['webhook_endpoints.secret', 'one'];

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
  });

  it('makes the same box of one text and place where it is told to, and another of any other', () => {
    const box = vault.encryptAlike('geheim', place);
    expect(vault.decrypt(box, place)).toBe('geheim');
    expect(vault.encryptAlike('geheim', place)).toBe(box);
    const ivOf = (other: string): string | undefined => other.split('.')[2];
    const others = [
      vault.encryptAlike('Geheim', place),
      vault.encryptAlike('geheim', ['webhook_endpoints.secret', 'two']),
    ];
    expect(others.map(ivOf)).not.toContain(ivOf(box));
  });

  it('opens no box of another format or key', () => {
    const box = vault.encrypt('geheim', place);
    expect(() => vault.decrypt(box.replace(/^v1/, 'v2'), place)).toThrow('unknown key');
    expect(() => vault.decrypt(box.replace(/^v1\.\w+/, 'v1.other'), place)).toThrow('unknown key');
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
