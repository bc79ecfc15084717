/** Substring search by trigrams, where the server has them; without, it reads the rows. */
export const search = `
  DO $$
  BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE INDEX ix_participants_search ON participants USING gin (
      partner_name gin_trgm_ops, partner_email gin_trgm_ops, referral_code gin_trgm_ops)
      WITH (fastupdate = off);
    CREATE INDEX ix_promo_codes_search ON promo_codes USING gin (code gin_trgm_ops)
      WITH (fastupdate = off);
    -- Transactions are searched where they never change: a commission changes with each decision.
    CREATE INDEX ix_conversions_transaction ON conversions
      USING gin (external_transaction_id gin_trgm_ops);
  EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported
      OR undefined_object THEN
    RAISE NOTICE 'pg_trgm is not available: searches read every row';
  END $$;
`;
