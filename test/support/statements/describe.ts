import { Client, type Submittable } from 'pg';
import type { Kind } from './row-shape';

/** A column of a statement's rows, as Postgres describes it without running the statement. */
export interface DescribedColumn {
  name: string;
  kind: Kind;
  /** The type in Postgres. */
  type: string;
  /** The column of a table that it is, when that may hold NULL. */
  nullable: string | undefined;
}

interface Field {
  name: string;
  tableID: number;
  columnID: number;
  dataTypeID: number;
}

/** Parses and describes; nothing is bound or executed. */
class Description implements Submittable {
  private fields: Field[] = [];
  readonly done: Promise<Field[]>;
  private settle!: { resolve: (fields: Field[]) => void; reject: (error: Error) => void };

  constructor(private readonly text: string) {
    this.done = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
  }

  submit(connection: Parameters<Submittable['submit']>[0]): void {
    connection.parse({ name: '', text: this.text, types: [] }, false);
    connection.describe({ type: 'S', name: '' }, false);
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.fields = fields;
  }

  handleError(error: Error): void {
    this.settle.reject(error);
  }

  handleReadyForQuery(): void {
    this.settle.resolve(this.fields);
  }
}

const kinds: Readonly<Record<string, Kind>> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  oid: 'number',
  float4: 'number',
  float8: 'number',
  timestamptz: 'Date',
  timestamp: 'Date',
  date: 'Date',
  json: 'object',
  jsonb: 'object',
  bytea: 'Buffer',
};

export interface Describer {
  /** Rejects with Postgres's own sentence when the statement does not fit the schema. */
  describe(text: string): Promise<DescribedColumn[]>;
  close(): Promise<void>;
}

/** Describes statements against the schema of a database. */
export async function openDescriber(url: string): Promise<Describer> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const types = await mapOf<string>(
    client,
    'SELECT oid::text AS key, typname AS value FROM pg_type',
  );
  const nullable = await mapOf<string | null>(
    client,
    `SELECT attrelid || '.' || attnum AS key,
            CASE WHEN NOT attnotnull AND attgenerated = '' THEN attname END AS value
       FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
      WHERE attnum > 0 AND c.relnamespace = 'public'::regnamespace`,
  );
  return {
    async describe(text) {
      const fields = await client.query(new Description(text)).done;
      return fields.map(({ name, tableID, columnID, dataTypeID }) => {
        const type = types.get(String(dataTypeID)) ?? 'unknown';
        const kind = type.startsWith('_') ? 'array' : (kinds[type] ?? 'string');
        return { name, type, kind, nullable: nullable.get(`${tableID}.${columnID}`) ?? undefined };
      });
    },
    close: () => client.end(),
  };
}

async function mapOf<T>(client: Client, text: string): Promise<Map<string, T>> {
  const { rows } = await client.query<{ key: string; value: T }>(text);
  return new Map(rows.map(({ key, value }) => [key, value]));
}
