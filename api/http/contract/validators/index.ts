export { absent, fieldsOf, nullable, schemaClasses, schemaRef, type FieldOptions } from './field';
export {
  AnyText,
  CurrencyCode,
  DateOrInstant,
  Email,
  HttpUrl,
  Instant,
  Name,
  OneOf,
  Text,
  Uuid,
} from './text';
export { Decimal, Flag, Int, QueryFlag, QueryInt } from './numbers';
export { Json, ListOf, Nested, Texts, Uuids, Values } from './lists';
