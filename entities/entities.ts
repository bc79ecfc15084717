import type { EntitySchema, MixedList } from 'typeorm';

type EntityClass = MixedList<string | EntitySchema | (new () => object)>;

/** Every entity class, one line each. */
export const entities = [] satisfies EntityClass;
