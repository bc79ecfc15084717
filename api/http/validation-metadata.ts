import { getMetadataStorage, type MetadataStorage } from 'class-validator';

type Found = ReturnType<MetadataStorage['getTargetValidationMetadatas']>;
type Grouped = ReturnType<MetadataStorage['groupByPropertyName']>;

/**
 * For each object that it checks, class-validator walks through all classes there are. What it finds
 * for a class stays the same once the class is defined, so it is kept. We use no validation groups.
 */
export function keepValidationMetadata(storage: MetadataStorage = getMetadataStorage()): void {
  const find = storage.getTargetValidationMetadatas.bind(storage);
  const group = storage.groupByPropertyName.bind(storage);
  const found = new Map<object, Found>();
  const grouped = new WeakMap<Found, Grouped>();

  storage.getTargetValidationMetadatas = (type, ...options) => {
    const known = found.get(type);
    if (known) return known;
    const metadata = find(type, ...options);
    found.set(type, metadata);
    return metadata;
  };
  storage.groupByPropertyName = (metadata) => {
    const known = grouped.get(metadata);
    if (known) return known;
    const byProperty = group(metadata);
    grouped.set(metadata, byProperty);
    return byProperty;
  };
}
