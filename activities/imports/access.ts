import type { Import } from '../../entities/tables/imports/import.entity';
import type { Vault } from '../../runtime/crypto/vault';
import type { SourceAccess } from './sources/source';

/** What a source by API is asked with; null for files, and once the source has refused it. */
export function accessOf(
  { vault }: { vault: Pick<Vault, 'decrypt'> },
  { id, credentialsEncrypted }: Pick<Import, 'id' | 'credentialsEncrypted'>,
): SourceAccess | null {
  if (credentialsEncrypted === null) return null;
  return JSON.parse(
    vault.decrypt(credentialsEncrypted, ['imports.credentials', id]),
  ) as SourceAccess;
}
