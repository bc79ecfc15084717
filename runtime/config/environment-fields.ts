import { isIP } from 'node:net';
import {
  IsArray,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Max,
  Min,
  registerDecorator,
} from 'class-validator';
import { durationToMs } from '../../entities/rules/values/duration';

export interface VariableDoc {
  name: string;
  description: string;
  group: string;
}

/** What docs/configuration.md is generated from. */
export const variableDocs: VariableDoc[] = [];

export function variable(group: string, description: string, ...decorators: PropertyDecorator[]) {
  return (target: object, property: string | symbol): void => {
    variableDocs.push({ name: String(property), description, group });
    for (const decorate of decorators) decorate(target, property);
  };
}

type Reading = (written: string) => unknown;

const readings = new Map<string, Reading>();

/** What the text of a variable stands for; one that stands for nothing of the kind is left to the checks. */
function readAs(reading: Reading): PropertyDecorator {
  return (_target, property) => void readings.set(String(property), reading);
}

/** A declared variable as the value that it stands for. */
export function readVariable(name: string, written: unknown): unknown {
  return typeof written === 'string' ? (readings.get(name)?.(written) ?? written) : written;
}

export const number = readAs((written) =>
  /^-?\d+(\.\d+)?$/.test(written.trim()) ? Number(written) : written,
);
const flags = new Map(Object.entries({ true: true, 1: true, false: false, 0: false }));
export const flag = readAs((written) => flags.get(written));
export const list = readAs((written) =>
  written
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

/** A whole number from `least` to `most`. */
export const whole = (least: number, most = Number.MAX_SAFE_INTEGER): PropertyDecorator[] => [
  number,
  IsInt(),
  Min(least),
  Max(most),
];
export const port = whole(0, 65_535);
export const count = whole(0, 1_000_000_000);
export const milliseconds = whole(1, 3_600_000);

const durations = {
  each: true,
  message: 'must be a comma list of durations such as 0s,5s,5m',
};
export const schedule = [
  readAs((written) => written.split(',').map((part) => durationToMs(part.trim()))),
  IsArray(),
  IsInt(durations),
  Min(0, durations),
];
export const duration = readAs((written) => durationToMs(written.trim()));
export const text = [IsString(), IsNotEmpty()];
export const httpUrl = [urlWith(['http:', 'https:'], 'must be an absolute http or https URL')];
export const postgresUrl = urlWith(['postgres:', 'postgresql:'], 'must be a postgres URL');
export const redisUrl = urlWith(['redis:', 'rediss:'], 'must be a redis URL');
export const smtpUrl = urlWith(['smtp:', 'smtps:'], 'must be an smtp URL');

export function optional(...checks: PropertyDecorator[]): PropertyDecorator[] {
  return [IsOptional(), ...checks];
}

function urlWith(protocols: string[], message: string): PropertyDecorator {
  return check(
    message,
    (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
  );
}

/** A check of a text, or of each text of a list. */
function check(message: string, isGood: (value: string) => boolean): PropertyDecorator {
  const validate = (value: unknown): boolean =>
    Array.isArray(value) ? value.every(validate) : typeof value === 'string' && isGood(value);
  return (target, propertyName) =>
    registerDecorator({
      name: 'check',
      target: target.constructor,
      propertyName: String(propertyName),
      options: { message },
      validator: { validate },
    });
}

function isHostAndPort(value: string): boolean {
  const [, port] = /^[^\s/]+:(\d{1,5})$/.exec(value) ?? [];
  return port !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
}

function isAddressRange(value: string): boolean {
  const [address = '', bits, ...more] = value.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

export const hostAndPort = check('must be host:port', isHostAndPort);
export const addressRanges = check(
  'must be a comma list of addresses or CIDR ranges',
  isAddressRange,
);
export const sender = check('must be an address, or a name and an <address>', (value) =>
  /^(?:[^\s<>@]+@[^\s<>@]+|[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>)$/.test(value),
);
export const origins = check(
  'must be a comma list of origins such as https://app.example',
  (value) => /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(value),
);
