import { erasedEmail, erasedName, erasedText } from './erasure';

/** What a person was known by: free text that names one of these is a copy. */
export interface Identity {
  names: string[];
  emails: string[];
  /** Referral codes, past ones too. */
  codes: string[];
}

/** A shorter name or code is a word of every other text: it proves nothing. */
const shortest = { name: 3, code: 5 };

/** Texts that stand for the person, in lower case. */
export function identifyingTexts({ names, emails, codes }: Identity): string[] {
  const long = (texts: string[], length: number): string[] =>
    texts.map((text) => text.trim().toLowerCase()).filter((text) => text.length >= length);
  const identifying = [
    ...long(names, shortest.name),
    ...long(emails, 1),
    ...long(codes, shortest.code),
  ];
  return [...new Set(identifying)];
}

/** Whether a text holds one of the identifying texts as words of their own, in any case. */
export function namesPerson(text: string, identifying: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return identifying.some((one) => holdsWord(lower, one));
}

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + word.length);
    if (!isWordCharacter(before) && !isWordCharacter(after)) return true;
  }
  return false;
}

function isWordCharacter(character: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(character);
}

/** An address, or a name of several words: no other word of a text is this by chance. */
function isDistinctive(text: string): boolean {
  return /[@\s]/.test(text);
}

/** Whether a value is a copy of what the person is known by, wherever it stands. */
export function namesForCertain(value: string, identifying: readonly string[]): boolean {
  const distinctive = identifying.filter(isDistinctive);
  return isUrl(value)
    ? urlNamesPerson(value, { identifying, distinctive })
    : namesPerson(value, distinctive);
}

/** The same of a value in which people write freely: there a single word is enough. */
export function freelyNames(value: string, identifying: readonly string[]): boolean {
  return isUrl(value) ? namesForCertain(value, identifying) : namesPerson(value, identifying);
}

export function isUrl(value: string): boolean {
  return /^https?:\/\/\S+$/i.test(value);
}

/** A referral code is a whole parameter; a host or a folder may well be the word "store". */
function urlNamesPerson(
  url: string,
  { identifying, distinctive }: Record<'identifying' | 'distinctive', readonly string[]>,
): boolean {
  const plain = urlInPlain(url).toLowerCase();
  const parameters = plain.split(/[?&#]/).slice(1);
  const values = new Set(parameters.map((text) => text.slice(text.indexOf('=') + 1)));
  return namesPerson(plain, distinctive) || identifying.some((text) => values.has(text));
}

/** The URL as a person reads it, without escapes. */
export function urlInPlain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Fields of our own answers that no person fills in: a code may well be the word "paid". */
const technical =
  /^(id|currency|status|mode|type|kind|role|prefix|key|secret|token)$|(Id|Ids|At|Secret|Token|_id|_ids|_at)$/;

/** Fields of our own answers in which people write freely. */
const free =
  /^(name|email|recipient|contact|title|body|message|description|note|notes|reason|text|subject|html)$|(Name|Email|Message|Reason|referralCode)$/;

/** Fields of a participant's, commission's or fraud flag's record that hold the person, also under former names. */
const personal: Readonly<Record<string, string | null>> = {
  partnerName: erasedName,
  partnerEmail: erasedEmail,
  referralCode: erasedText,
  message: null,
  statusReason: null,
  rejectionReason: erasedText,
  overrideReason: erasedText,
  note: erasedText,
};

export interface ErasedPerson {
  participantId: string;
  identifying: readonly string[];
}

/** Whether a stored answer has to be scrubbed at all. */
export function concernsPerson(text: string, person: ErasedPerson): boolean {
  return text.includes(person.participantId) || namesPerson(text, person.identifying);
}

/** A JSON value without the person: texts that name them, and the fields of their own records. */
export function scrub(value: unknown, person: ErasedPerson, field = ''): unknown {
  if (typeof value === 'string') {
    return isCopyIn(field, value, person) ? placeholderFor(value) : value;
  }
  if (Array.isArray(value)) return value.map((item) => scrub(item, person, field));
  if (typeof value !== 'object' || value === null) return value;
  const record = value as Record<string, unknown>;
  const isTheirs = [record['id'], record['participantId']].includes(person.participantId);
  return Object.fromEntries(
    Object.entries(record).map(([key, item]) => [
      key,
      isTheirs && key in personal && item !== null ? personal[key] : scrub(item, person, key),
    ]),
  );
}

function isCopyIn(field: string, value: string, { identifying }: ErasedPerson): boolean {
  if (technical.test(field)) return false;
  return free.test(field) ? freelyNames(value, identifying) : namesForCertain(value, identifying);
}

function placeholderFor(text: string): string {
  return text.includes('@') ? erasedEmail : erasedText;
}
