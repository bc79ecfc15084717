export {
  absent,
  fieldsOf,
  isGood,
  nullable,
  schemaClasses,
  schemaRef,
  untold,
  type ClassOf,
  type FieldOptions,
  type KnownField,
  type Schema,
} from './field';
export {
  AnyText,
  CurrencyCode,
  DateOrInstant,
  Email,
  HttpUrl,
  Instant,
  isToldAddress,
  Name,
  OneOf,
  Text,
  ToldAddress,
  ToldEmail,
  Uuid,
} from './text';
export { CustomerAliases, CustomerId, ToldCustomerId } from './customer-id';
export { Decimal, Flag, Int, QueryFlag, QueryInt } from './numbers';
export { Json, ListOf, Nested, Texts, Uuids, Values } from './lists';
