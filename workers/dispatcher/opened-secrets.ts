import type { Vault } from '../../runtime/crypto/vault';

export type Opener = Pick<Vault, 'decrypt'>;

/**
 * A vault that opens the secret of a busy endpoint once and not at each attempt, which costs as much as both
 * signatures. A secret that was rotated is another box.
 */
export function rememberOpened(vault: Opener, most = 1_000): Opener {
  const opened = new Map<string, string>();
  return {
    decrypt(box, place) {
      const key = [box, ...place].join(' ');
      const known = opened.get(key);
      if (known !== undefined) return known;
      const secret = vault.decrypt(box, place);
      if (opened.size >= most) opened.clear();
      opened.set(key, secret);
      return secret;
    },
  };
}
