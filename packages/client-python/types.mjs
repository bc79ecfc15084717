const keywords = new Set([
  'from',
  'class',
  'global',
  'in',
  'is',
  'pass',
  'import',
  'return',
  'self',
]);

/** As Python writes it: `programId` is `program_id`, `from` is `from_`. */
export function nameOf(name) {
  const snake = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9_]/g, '_')
    .toLowerCase();
  return keywords.has(snake) ? `${snake}_` : snake;
}

/**
 * What a type checker knows of a schema. What is given is plain: objects are mappings, as they are sent;
 * what is answered are records.
 */
export function typeOf(schema, isGiven, prefix = '') {
  const type = bareType(schema, isGiven, prefix);
  return schema.nullable && !type.endsWith('None') ? `${type} | None` : type;
}

function bareType(schema, isGiven, prefix) {
  if (schema.$ref) return isGiven ? 'Mapping[str, Any]' : prefix + schema.$ref.split('/').at(-1);
  const several = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (several) {
    return [...new Set(several.map((one) => typeOf(one, isGiven, prefix)))].join(' | ');
  }
  if (schema.enum) return enumType(schema.enum);
  if (schema.type === 'array') return `List[${typeOf(schema.items ?? {}, isGiven, prefix)}]`;
  const plain = { string: 'str', integer: 'int', number: 'float', boolean: 'bool' };
  return plain[schema.type] ?? (isGiven && schema.type === 'object' ? 'Mapping[str, Any]' : 'Any');
}

function enumType(values) {
  const literals = values.filter((value) => value !== null).map((value) => JSON.stringify(value));
  if (literals.length === 0) return 'None';
  const type = `Literal[${literals.join(', ')}]`;
  return values.includes(null) ? `${type} | None` : type;
}

/** A class for each schema that is an object, and a name for each that is none. */
export function classesOf({ components }) {
  const schemas = Object.entries(components.schemas);
  const isObject = ([, schema]) => schema.properties !== undefined;
  const classes = schemas.filter(isObject).map(([name, { properties, required = [] }]) => {
    const fields = Object.entries(properties).map(([field, property]) => {
      const type = typeOf(property, false);
      const isOptional = !required.includes(field) && !type.endsWith('None');
      return `    ${nameOf(field)}: ${type}${isOptional ? ' | None' : ''}`;
    });
    return `\nclass ${name}(Record):\n${fields.join('\n') || '    pass'}\n`;
  });
  const others = schemas.filter((entry) => !isObject(entry)).map(([name]) => `\n${name} = Any\n`);
  return [...classes, ...others];
}
