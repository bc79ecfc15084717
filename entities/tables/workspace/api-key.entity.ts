import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** A key of a workspace: secret ones as hashes only. */
@Check('ck_api_keys_kind', `kind IN ('public', 'secret')`)
@Check('ck_api_keys_mode', `mode IN ('test', 'live')`)
@Check('ck_api_keys_public_key', `(public_key IS NULL) = (kind = 'secret')`)
@Unique('uq_api_key_hash', ['keyHash'])
@Entity({ name: 'api_keys' })
export class ApiKey {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  kind!: 'public' | 'secret';

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  @Column({ name: 'key_hash', type: 'text' })
  keyHash!: string;

  @Column({ name: 'public_key', type: 'text', nullable: true })
  publicKey!: string | null;

  @Column({ type: 'text' })
  prefix!: string;

  @Column({ type: 'text' })
  last4!: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt!: Date | null;
}
