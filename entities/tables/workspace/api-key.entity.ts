import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { KeyKind, Mode } from '../../rules/values/mode';
import type { KeyRole } from '../../rules/values/roles';

/** A key of a workspace: only public ones can be read back. */
@Check('ck_api_keys_kind', `kind IN ('public', 'secret', 'management')`)
@Check('ck_api_keys_mode', `mode IN ('test', 'live')`)
@Check('ck_api_keys_public_key', `(public_key IS NOT NULL) = (kind = 'public')`)
@Check('ck_api_keys_role', `(role IS NOT NULL) = (kind = 'management')`)
@Check('ck_api_keys_program', `program_id IS NULL OR kind = 'management'`)
@Unique('uq_api_key_hash', ['keyHash'])
@Entity({ name: 'api_keys' })
export class ApiKey {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  kind!: KeyKind;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  /** What a management key may do. */
  @Column({ type: 'text', nullable: true })
  role!: KeyRole | null;

  /** Bound to this programme. No reference: the key outlives it, and then reaches nothing. */
  @Column({ name: 'program_id', type: 'uuid', nullable: true })
  programId!: string | null;

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
