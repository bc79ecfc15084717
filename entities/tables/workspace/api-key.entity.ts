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
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') kind!: KeyKind;
  @Column('text') mode!: Mode;
  @Column('text', { nullable: true }) name!: string | null;
  /** What a management key may do. */
  @Column('text', { nullable: true }) role!: KeyRole | null;
  /** Bound to this programme. No reference: the key outlives it, and then reaches nothing. */
  @Column('uuid', { nullable: true }) programId!: string | null;
  /** The member who made it; null where nothing tells. */
  @Column('uuid', { nullable: true }) createdBy!: string | null;
  @Column('text') keyHash!: string;
  @Column('text', { nullable: true }) publicKey!: string | null;
  @Column('text') prefix!: string;
  @Column('text') last4!: string;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) revokedAt!: Date | null;
}
