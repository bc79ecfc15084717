import { createVault } from '../../activities/runtime/crypto/vault';
import { loadSecrets, generateSecrets } from '../../activities/runtime/process/secrets';

const vault = createVault(loadSecrets({ ...generateSecrets(), STACK_DIR: '' }, true));

describe('the vault', () => {
  it('gives back what it was given', () => {
    expect(vault.decrypt(vault.encrypt('geheim 🔑'))).toBe('geheim 🔑');
  });

  it.each([4, 8, 12, 15])('does not check a box with a tag of %d bytes', (length) => {
    const [version, id, iv, sealed = ''] = vault.encrypt('').split('.');
    const short = Buffer.from(sealed, 'base64url').subarray(0, length).toString('base64url');
    expect(() => vault.decrypt([version, id, iv, short].join('.'))).toThrow();
  });

  it('hashes an IPv6 address by its network', () => {
    expect(vault.ipHash('2001:db8:1:2::1')).toBe(vault.ipHash('2001:db8:1:2:ffff::9'));
    expect(vault.ipHash('2001:db8:1:2::1')).not.toBe(vault.ipHash('2001:db8:1:3::1'));
    expect(vault.ipHashes('2001:db8:1:2::1')).toEqual([vault.ipHash('2001:db8:1:2::2')]);
  });
});
