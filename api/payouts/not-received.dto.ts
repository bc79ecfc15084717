import { absent, Text } from '../http/contract/validators';

export class NotReceivedBody {
  @Text({
    min: 1,
    max: 500,
    trim: true,
    ...absent,
    description: 'In your words; the merchant reads it.',
    example: 'My bank has seen nothing so far.',
  })
  message?: string | null;
}

/** Nothing to say: `{}`. */
export class NotReceivedDto {}
